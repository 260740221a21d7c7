/*
 * conversations: samples of different lengths, some of which have a picture, from a folder that
 * `fpreport prepare` has made.
 *
 *   tokens.npy     int32 [tokens]: of all samples, one behind the other, as the tokenizer gave
 *                  them; a picture's place is CONVERSATION_IMAGE
 *   labels.npy     int32 [tokens]: the token itself where it is a target, else CONVERSATION_IGNORED
 *                  (at a picture's place always)
 *   offsets.npy    int64 [samples + 1]: sample i is tokens [offsets[i], offsets[i + 1])
 *   pictures.npy   int32 [samples]: row of pixels.npy, or -1. A sample with a picture has one
 *                  place for it, one without has none
 *   lengths.npy    int32 [samples]: what samples are grouped by (length_groups.h): positive with a
 *                  picture, negative without
 *   pixels.npy     uint8 [pictures, side, side, 3], C order: red, green, blue of each pixel, as
 *                  Pillow leaves them behind resize and crop or padding, before /255 and norms;
 *                  absent where there is no picture at all
 *   prepared.json  {…, "outputs": {"tokens.npy": SHA-256 of the file, …}}
 *
 * All little endian, .npy version 1. The digest that a case pins as its data's is that of
 * prepared.json. Samples are not cut: whoever trains cuts the spliced rows to its length.
 */
#ifndef TRAINER_DATA_CONVERSATIONS_H
#define TRAINER_DATA_CONVERSATIONS_H

#define CONVERSATION_IMAGE (-200)
#define CONVERSATION_IGNORED (-100)

#endif
