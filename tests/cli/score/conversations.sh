#!/bin/sh
# prepare's conversations are those of a second program that follows LLaVA's own, and images Pillow's; what is no
# sample or no image is refused, with its place.
. "$(dirname "$0")/../../lib.sh"
here=$top/tests/cli/score
cd "$tmp" || exit 1
command -v spm_train >/dev/null && python3 -c 'import PIL, numpy' 2>/dev/null || {
    skip "needs spm_train of the package sentencepiece, python3-pil and python3-numpy"
    plan_done
    exit
}
python3 "$here/token_texts.py" corpus 200 few.txt
spm_train --input=few.txt --model_prefix=few --model_type=bpe --normalization_rule_name=identity --vocab_size=1000 \
    --byte_fallback=true --remove_extra_whitespaces=false >few.log 2>&1 || not_ok "spm_train makes a model"
prepare() { "$FPREPORT" -q prepare --tokenizer few.model "$@"; }

for seed in 1 2 3; do
    python3 "$here/llava_reference.py" make "s$seed" $seed
    for format in plain v1; do
        side=$((seed * 14 + 14))
        check "samples of seed $seed: llava-$format" prepare --texts "llava-$format" --images "s$seed/images" --side $side -o "s$seed/$format" "s$seed/$format.json"
        check "are those of the other program" python3 "$here/llava_reference.py" check "s$seed" "llava-$format" few.model "s$seed/$format" $side
    done
done
check "some of them cannot be told apart" jq -s -e 'map(.mismatched_samples) | add > 0' s1/v1/prepared.json s2/v1/prepared.json s3/v1/prepared.json
for f in tokens labels offsets pictures lengths pixels; do
    [ "$(sha256sum "s1/v1/$f.npy" | cut -d' ' -f1)" = "$(jq -r ".outputs[\"$f.npy\"]" s1/v1/prepared.json)" ] || not_ok "the digest of $f.npy"
done
ok "digests are those of the files"
printf '\377' | dd of=s1/v1/labels.npy bs=1 seek=200 conv=notrunc 2>/dev/null
check_exit 1 "a comparison can fail" python3 "$here/llava_reference.py" check s1 llava-v1 few.model s1/v1 28

# Refusals: what was found, where.
refused() { # WORDS JSON
    printf '%s' "$2" >no.json
    prepare --texts "${kind:-llava-v1}" --images "${images:-s1/images}" -o no no.json >said 2>&1
    code=$?
    if [ $code -eq 3 ] && grep -qF "$1" said && [ ! -e no ] && [ ! -e no.partial ]; then ok "refused: $1"; else
        not_ok "refused: $1"; echo "# exit $code"; sed 's/^/# /' said; fi
}
turns='"conversations": [{"from": "human", "value": "a <image>"}, {"from": "gpt", "value": "b"}]'
refused 'found no sample' '[]'
refused 'found no sample' ''
refused 'no.json:1: sample 0: found no array "conversations"' '[{"id": 1}]'
refused 'no.json:2: sample 1: found a turn without texts' '{"conversations": [{"from": "human", "value": "a"}]}
{"conversations": [{"from": "human"}]}'
refused 'turn 1: found one from "human", expected "gpt"' '[{"conversations": [{"from": "human", "value": "a"}, {"from": "human", "value": "b"}]}]'
refused 'found 0 places for an image' '[{"image": "1.png", "conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}]'
refused 'found 2 places for an image' '[{"image": "1.png", "conversations": [{"from": "human", "value": "<image>"}, {"from": "gpt", "value": "<image>"}]}]'
refused 'image: found "../1.png"' "[{\"image\": \"../1.png\", $turns}]"
refused 'image: found "a/.."' "[{\"image\": \"a/..\", $turns}]"
refused 'image: found "/etc/passwd"' "[{\"image\": \"/etc/passwd\", $turns}]"
refused 'image: found an array' "[{\"image\": [\"a\"], $turns}]"
refused 's1/images/none.png' "[{\"image\": \"none.png\", $turns}]"
refused 'expected a comma or the end' '[{"conversations": [{"from": "human", "value": "a"}]} {}]'
refused 'no.json' '[{"conversations": [{"from": "human", "value": "a"}'
refused 'no.json' '}'
kind=llava-plain refused 'expected an image, and two turns' '[{"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}]'

# Images that are none, the first of them named whatever others do.
mkdir hostile && cp s1/images/*.* hostile/
python3 - "$top/tests/data/images" <<'EOF'
import struct, sys, zlib
chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
png = lambda w, h, data: b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', w, h, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(data)) + chunk(b'IEND', b'')
put = lambda name, data: open('hostile/' + name, 'wb').write(data)
put('bomb.png', png(60000, 60000, b'\0' * 1000000))
put('short.png', png(300, 300, b'\0' * 1000))
put('many.png', png(8000, 8000, bytes(8000 * 24001)))  # 64 million pixels in 190 KiB: in the limits
put('slow.png', png(2500, 2500, bytes(2500 * 7501)))
put('text.jpg', b'<html>\n')
put('empty.png', b'')
jpeg = open(sys.argv[1] + '/jpeg-large.jpg', 'rb').read()
put('cut.jpg', jpeg[:len(jpeg) // 2])
EOF
images=hostile
refused 'hostile/bomb.png: found 60000 x 60000 pixels, expected at most' "[{\"image\": \"bomb.png\", $turns}]"
refused 'hostile/short.png: PNG: ' "[{\"image\": \"short.png\", $turns}]"
refused 'hostile/text.jpg: found neither a JPEG nor a PNG image' "[{\"image\": \"text.jpg\", $turns}]"
refused 'hostile/empty.png: found neither' "[{\"image\": \"empty.png\", $turns}]"
refused 'hostile/cut.jpg: JPEG: the file ends within the image' "[{\"image\": \"cut.jpg\", $turns}]"
list=$(for name in slow.png $(cd hostile && ls [0-9]*) cut.jpg bomb.png; do printf '{"image": "%s", %s}, ' "$name" "$turns"; done)
refused 'hostile/cut.jpg: ' "[$list{\"image\": \"short.png\", $turns}]"
check "what has so many pixels as there may be is read" sh -c \
    "printf '%s' '[{\"image\": \"many.png\", $turns}]' >many.json && '$FPREPORT' -q prepare --tokenizer few.model --texts llava-v1 --images hostile -o many many.json"
# Where there is no memory for a picture, the picture is not at fault.
python3 -c "from PIL import Image; Image.new('RGB', (7000, 7000)).save('hostile/great.jpg', progressive=True)"
printf '%s' "[{\"image\": \"great.jpg\", $turns}]" >great.json
[ "$VARIANT" != asan ] || skip "pictures under a limit of memory: a sanitizer reserves more than that"
for limit in 150000 200000 300000; do
    [ "$VARIANT" != asan ] || break
    (ulimit -v $limit && prepare --texts llava-v1 --images hostile -o great great.json) >said 2>&1
    code=$?
    check "a great image under a limit of $limit KiB: read, or the machine is at fault" sh -c "[ $code -eq 4 -o $code -eq 0 ] && ! grep -q JPEG said"
    rm -rf great
done

# What a stopped run left is removed, and the next one says so.
mkdir stopped.partial && : >stopped.partial/tokens.npy
"$FPREPORT" prepare --tokenizer few.model --texts llava-plain --images s1/images -o stopped s1/plain.json >/dev/null 2>said
check "a folder that a stopped run left is named" grep -q 'stopped.partial: removed' said
check "and gone" test -d stopped -a ! -e stopped.partial
plan_done
