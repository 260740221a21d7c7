# lib.sh: what the scripts of this folder share. Bash.
n=0 failed=0

tell() { # OK? DESCRIPTION
    n=$((n + 1))
    if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi
}

# rec/ in the folder at hand: our accelerators, and one model called small, of ON_CPU's shape on the
# processor, of 45 M parameters on a GPU. HERE is the folder of the script, DEVICE cuda or cpu.
small_records() { # HERE DEVICE ON_CPU
    mkdir -p rec/cases rec/models
    cp -R "$1"/../../records/accelerators rec/ 2>/dev/null || cp -R "$1"/records/accelerators rec/
    local size=$3
    [ "$2" = cpu ] || size='"hidden": 1024, "heads": 8, "kv_heads": 4, "ffn": 2816'
    cat >rec/models/small.json <<MODEL
{"schema": "fpreport.model/1", "id": "small", "name": {"zh": "small"}, "nominal_parameters": 45e6,
 "shape": {"vocabulary": 4096, "layers": 4, $size}}
MODEL
}
