/*
 * The safetensors format: files whose bytes are written out here by hand, every fp16 and bf16
 * number against its definition, and hostile, truncated, empty and huge files.
 */
#include "tests/unit/folder.h"

#include "trainer/tensors/tensor_files.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void file_make(const char *path, const void *bytes, size_t n)
{
    struct err err = ERR_INIT;
    if (file_write(path, bytes, n, &err) < 0)
        fail_msg("%s", err.text);
}

/* Length, header, then zeros. Returns the size. */
static size_t tensors_make(const char *path, const char *header, size_t data)
{
    static char bytes[8192];
    uint64_t length = strlen(header);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, length);
    file_make(path, bytes, 8 + length + data);
    return 8 + length + data;
}

static void opens(struct safetensors *f, const char *path)
{
    struct err err = ERR_INIT;
    if (safetensors_open(f, path, &err) < 0)
        fail_msg("%s", err.text);
}

static void refuses(const char *path, const char *message)
{
    struct err err = ERR_INIT;
    struct safetensors f;
    assert_int_equal(safetensors_open(&f, path, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    assert_memory_equal(err.text, path, strlen(path));
    if (!strstr(err.text, message))
        fail_msg("%s\n    expected %s", err.text, message);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void a_file_of_three_types_is_read(void **state)
{
    struct safetensors f;
    struct err err = ERR_INIT;
    float values[2];
    const char *path = in_folder(state, "a.safetensors");
    const char header[] =
        "{\"z\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
        "\"__metadata__\":{\"format\":\"pt\"},"
        "\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[8,12]},"
        "\"scalar\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[12,14]},"
        "\"none\":{\"dtype\":\"F16\",\"shape\":[0,7],\"data_offsets\":[12,12]}}  ";
    size_t end = tensors_make(path, header, 14);
    int fd = open(path, O_WRONLY);
    assert_int_equal(
        pwrite(fd, "\0\0\x80\x3f\0\0\0\xc0\x80\x3f\x40\xc0\x00\x3e", 14, (off_t)(end - 14)), 14);
    close(fd);
    opens(&f, path);
    assert_int_equal(f.n, 4);
    assert_string_equal(f.tensors[0].name, "a");
    assert_null(safetensors_find(&f, "b"));
    assert_int_equal(safetensors_read(&f, safetensors_find(&f, "z"), 0, 2, values, &err), 0);
    assert_true(values[0] == 1 && values[1] == -2);
    assert_int_equal(safetensors_read(&f, safetensors_find(&f, "a"), 0, 2, values, &err), 0);
    assert_true(values[0] == 1 && values[1] == -3);
    assert_int_equal(safetensors_read(&f, safetensors_find(&f, "a"), 1, 1, values, &err), 0);
    assert_true(values[0] == -3);
    assert_int_equal(safetensors_read(&f, safetensors_find(&f, "scalar"), 0, 1, values, &err), 0);
    assert_true(values[0] == 1.5);
    assert_int_equal(safetensors_find(&f, "none")->bytes, 0);
    safetensors_close(&f);
}

/* What the bits of a small float mean, from its definition. */
static double meaning(unsigned bits, int fraction_bits, int bias)
{
    int exponent_bits = 15 - fraction_bits;
    unsigned exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1);
    double fraction = ldexp(bits & ((1u << fraction_bits) - 1), -fraction_bits);
    double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == (1u << exponent_bits) - 1)
        return fraction ? NAN : sign * INFINITY;
    return sign *
           (exponent ? ldexp(1 + fraction, (int)exponent - bias) : ldexp(fraction, 1 - bias));
}

static void every_small_number_is_read_exactly(void **state)
{
    static const struct {
        const char *type;
        int fraction_bits, bias;
    } formats[] = {{"BF16", 7, 127}, {"F16", 10, 15}};
    const char *path = in_folder(state, "all.safetensors");
    static uint16_t all[65536];
    static float values[65536];
    for (unsigned i = 0; i < 65536; i++)
        all[i] = (uint16_t)i;
    for (int k = 0; k < 2; k++) {
        struct safetensors f;
        struct err err = ERR_INIT;
        char header[128];
        snprintf(header, sizeof header,
                 "{\"x\":{\"dtype\":\"%s\",\"shape\":[65536],\"data_offsets\":[0,131072]}}",
                 formats[k].type);
        tensors_make(path, header, 0);
        int fd = open(path, O_WRONLY | O_APPEND);
        assert_int_equal(write(fd, all, sizeof all), sizeof all);
        close(fd);
        opens(&f, path);
        assert_int_equal(safetensors_read(&f, &f.tensors[0], 0, 65536, values, &err), 0);
        safetensors_close(&f);
        for (unsigned i = 0; i < 65536; i++) {
            double expected = meaning(i, formats[k].fraction_bits, formats[k].bias);
            assert_true(isnan(expected) ? isnan(values[i]) : values[i] == expected);
            assert_int_equal(signbit(values[i]) != 0, i >> 15);
        }
    }
}

/* 14 GB, nearly all of them a hole: nothing here is read but what is asked for. */
static void a_file_larger_than_memory_is_read(void **state)
{
    struct safetensors f;
    struct err err = ERR_INIT;
    float value;
    const char *path = in_folder(state, "large.safetensors");
    size_t begin = tensors_make(path,
                                "{\"x\":{\"dtype\":\"F32\",\"shape\":[3500000000],"
                                "\"data_offsets\":[0,14000000000]}}",
                                0);
    int fd = open(path, O_WRONLY);
    assert_int_equal(ftruncate(fd, (off_t)(begin + 14000000000)), 0);
    assert_int_equal(pwrite(fd, "\0\0\x80\x3f", 4, (off_t)(begin + 14000000000 - 4)), 4);
    close(fd);
    opens(&f, path);
    assert_int_equal(safetensors_read(&f, &f.tensors[0], 3499999999, 1, &value, &err), 0);
    assert_true(value == 1);
    safetensors_close(&f);
}

#define TENSOR(type, shape, begin, end) \
    "{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":[" begin "," end "]}"
#define X(type, shape, begin, end) "{\"x\":" TENSOR(type, shape, begin, end) "}"

static void hostile_headers_are_refused(void **state)
{
    static const struct {
        const char *header;
        size_t data;
        const char *message;
    } cases[] = {
        {"", 0, "header:1:1: "},
        {"[]", 0, "header: found an array, expected an object"},
        {"{\"x\":1}", 0, "tensor x: found something else, expected an object of dtype"},
        {"{} x", 0, "header:1:4: found 'x', expected the end of the file"},
        {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"offsets\":[0,4]}}", 4,
         "tensor x: data_offsets: missing"},
        {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"y\":1}}", 4,
         "tensor x: found something else"},
        {X("I64", "[1]", "0", "8"), 8, "dtype: found I64, expected F32, BF16 or F16"},
        {X("f32", "[1]", "0", "4"), 4, "dtype: found f32, expected F32, BF16 or F16"},
        {"{\"x\":{\"dtype\":7,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "found a number"},
        {X("F32", "[1]", "0", "8"), 8,
         "data_offsets: found 8 bytes, expected 4, which its shape and dtype take"},
        {X("BF16", "[2,3]", "0", "6"), 6, "data_offsets: found 6 bytes, expected 12"},
        {X("F32", "[-1]", "0", "4"), 4, "found a dimension out of range"},
        {X("F32", "[1.5]", "0", "6"), 6, "found a dimension out of range"},
        {X("F32", "[1e0]", "0", "4"), 4, "found a dimension out of range"},
        {X("F32", "[99999999999999999999]", "0", "4"), 4, "found a dimension out of range"},
        {X("F32", "[4294967296,4294967296]", "0", "0"), 0, "product up to 2^50"},
        {X("F32", "[1,1,1,1,1,1,1,1,1]", "0", "4"), 4, "an array of at most 8 dimensions"},
        {X("F32", "4", "0", "4"), 4, "an array of at most 8 dimensions"},
        {X("F32", "[1]", "4", "0"), 4, "[begin, end] with begin <= end"},
        {X("F32", "[1]", "-4", "0"), 4, "[begin, end] with begin <= end"},
        {X("F32", "[1]", "0", "4,4"), 4, "[begin, end] with begin <= end"},
        {X("F32", "[1]", "4", "8"), 8, "found a begin at 4, expected 0"},
        {X("F32", "[1]", "0", "4"), 5, "expected 66 from its header"},
        {X("F32", "[1]", "0", "4"), 3, "expected 66 from its header"},
        {"{\"x\":" TENSOR("F32", "[2]", "0", "8") ",\"y\":" TENSOR("F32", "[2]", "4", "12") "}", 12,
         "tensor y: data_offsets: found a begin at 4, expected 8"},
        {"{\"x\":" TENSOR("F32", "[1]", "0", "4") ",\"y\":" TENSOR("F32", "[1]", "8", "12") "}", 12,
         "tensor y: data_offsets: found a begin at 8, expected 4"},
        {"{\"x\":" TENSOR("F32", "[1]", "0", "4") ",\"x\":" TENSOR("F32", "[1]", "4", "8") "}", 8,
         "found key \"x\" again"},
        {"{\"x\":" TENSOR("F32", "[1]", "0", "4") ",\"\\u0078\":" TENSOR("F32", "[1]", "4",
                                                                         "8") "}",
         8, "found key \"x\" again"},
        {"{\"__metadata__\":{\"a\":1}}", 0, "__metadata__: expected an object of strings"},
        {"{\"__metadata__\":\"a\"}", 0, "__metadata__: expected an object of strings"},
    };
    const char *path = in_folder(state, "hostile.safetensors");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tensors_make(path, cases[i].header, cases[i].data);
        refuses(path, cases[i].message);
    }
}

static void truncated_files_are_refused(void **state)
{
    const char *path = in_folder(state, "short.safetensors");
    size_t whole = tensors_make(path, X("F32", "[3]", "0", "12"), 12);
    for (size_t n = whole; n-- > 0;) {
        assert_int_equal(truncate(path, (off_t)n), 0);
        refuses(path, n < 8 ? "ends at byte" : "found ");
    }
}

static void lengths_that_cannot_be_are_refused(void **state)
{
    const char *path = in_folder(state, "length.safetensors");
    static const char *const lengths[] = {"\xff\xff\xff\xff\xff\xff\xff\xff", "\0\0\0\0\0\0\0\x80",
                                          "\x03\0\0\0\0\0\0\0", "\x01\0\x40\0\0\0\0\0"};
    for (int i = 0; i < 4; i++) {
        char bytes[10] = {0};
        memcpy(bytes, lengths[i], 8);
        memcpy(bytes + 8, "{}", 2);
        file_make(path, bytes, 10);
        refuses(path, "expected at most 4194304 and at most the 2 that follow");
    }
    refuses((const char *)*state, "not a regular file");
    refuses(in_folder(state, "missing"), "No such file");
    const char *pipe = in_folder(state, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    refuses(pipe, "not a regular file");
}

static void a_file_that_shrinks_is_an_error(void **state)
{
    struct safetensors f;
    struct err err = ERR_INIT;
    float values[3];
    const char *path = in_folder(state, "shrinks.safetensors");
    size_t whole = tensors_make(path, X("F32", "[3]", "0", "12"), 12);
    opens(&f, path);
    assert_int_equal(truncate(path, (off_t)whole - 1), 0);
    assert_int_equal(safetensors_read(&f, &f.tensors[0], 0, 3, values, &err), -1);
    assert_non_null(strstr(err.text, "ends at byte"));
    safetensors_close(&f);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void writing_is_canonical(void **state)
{
    static const char expected[] =
        "\xd0\0\0\0\0\0\0\0"
        "{\"__metadata__\": {\"format\": \"pt\"}, "
        "\"a\": {\"dtype\": \"F32\", \"shape\": [2, 1], \"data_offsets\": [0, 8]}, "
        "\"b\": {\"dtype\": \"BF16\", \"shape\": [1], \"data_offsets\": [8, 10]}}";
    struct safetensors_tensor tensors[] = {
        {.name = "a", .dimensions = 2, .shape = {2, 1}},
        {.name = "b", .type = SAFETENSORS_BF16, .dimensions = 1, .shape = {1}},
    };
    const struct safetensors_text format = {"format", "pt"};
    struct safetensors_writer w;
    struct err err = ERR_INIT;
    struct arena arena = ARENA_INIT;
    struct bytes file;
    const char *path = in_folder(state, "w.safetensors");
    assert_int_equal(safetensors_create(&w, path, tensors, 2, &format, 1, &err), 0);
    assert_int_equal(safetensors_write(&w, "12345", 5, &err), 0);
    assert_int_equal(safetensors_write(&w, "67890", 5, &err), 0);
    assert_int_equal(safetensors_finish(&w, &err), 0);
    assert_int_equal(file_read(path, 1000, &arena, &file, &err), 0);
    size_t header = sizeof expected - 1;
    assert_memory_equal(file.data + 8, expected + 8, header - 8);
    assert_int_equal((unsigned char)file.data[0] % 8, 0);
    assert_int_equal((unsigned char)file.data[0], (header - 8 + 7) / 8 * 8);
    assert_int_equal(file.len, 8 + (header - 8 + 7) / 8 * 8 + 10);
    assert_memory_equal(file.data + file.len - 10, "1234567890", 10);
    assert_int_equal(tensors[1].begin, file.len - 2);
    arena_release(&arena);
    struct safetensors f;
    opens(&f, path);
    assert_int_equal(f.tensors[1].begin, tensors[1].begin);
    safetensors_close(&f);
}

static void what_would_not_be_canonical_is_not_written(void **state)
{
    struct safetensors_tensor tensors[] = {{.name = "b"}, {.name = "a"}},
                              twice[] = {{.name = "a"}, {.name = "a"}};
    struct safetensors_writer w;
    struct err err = ERR_INIT;
    const char *path = in_folder(state, "not.safetensors");
    assert_int_equal(safetensors_create(&w, path, tensors, 2, NULL, 0, &err), -1);
    assert_non_null(strstr(err.text, "found tensor a behind b"));
    assert_int_equal(safetensors_create(&w, path, twice, 2, NULL, 0, &err), -1);
    assert_false(file_exists(path));
    assert_int_equal(safetensors_create(&w, path, tensors, 1, NULL, 0, &err), 0);
    assert_int_equal(safetensors_write(&w, "123", 3, &err), 0);
    assert_int_equal(safetensors_finish(&w, &err), -1);
    assert_non_null(strstr(err.text, "3 bytes of tensors were written, expected 4"));
    assert_false(file_exists(path));
    file_make(path, "", 0);
    assert_int_equal(safetensors_create(&w, path, tensors, 1, NULL, 0, &err), -1);
    assert_non_null(strstr(err.text, "File exists"));
}

/* ---- several files ------------------------------------------------------------------------- */

static void index_refused(void **state, const char *index, const char *message)
{
    struct tensor_files files;
    struct err err = ERR_INIT;
    file_make(in_folder(state, TENSOR_FILES_INDEX), index, strlen(index));
    assert_int_equal(tensor_files_open(&files, *state, &err), -1);
    assert_int_equal(err.kind, ERR_INPUT);
    if (!strstr(err.text, message))
        fail_msg("%s\n    expected %s", err.text, message);
}

static void a_model_in_several_files_is_one(void **state)
{
    static const char index[] = "{\"metadata\":{\"total_size\":8},\"weight_map\":"
                                "{\"x\":\"1.safetensors\",\"y\":\"2.safetensors\"}}";
    struct tensor_files files;
    struct err err = ERR_INIT;
    const struct safetensors *file;
    tensors_make(in_folder(state, "1.safetensors"), X("F32", "[1]", "0", "4"), 4);
    tensors_make(in_folder(state, "2.safetensors"), "{\"y\":" TENSOR("F32", "[1]", "0", "4") "}",
                 4);
    file_make(in_folder(state, TENSOR_FILES_INDEX), index, sizeof index - 1);
    if (tensor_files_open(&files, *state, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(files.n, 2);
    assert_non_null(tensor_files_find(&files, "y", &file));
    assert_string_equal(path_base(file->path), "2.safetensors");
    assert_null(tensor_files_find(&files, "z", &file));
    tensor_files_close(&files);

    index_refused(state, "[]", "weight_map: found none");
    index_refused(state, "{\"weight_map\":{}}", "weight_map: found an object");
    index_refused(state, "{\"weight_map\":{\"x\":1}}", "weight_map: found a number");
    index_refused(state, "{\"weight_map\":{\"x\":\"../1.safetensors\"}}",
                  "expected the name of a file in this folder");
    index_refused(state, "{\"weight_map\":{\"x\":\"..\"}}", "expected the name of a file");
    index_refused(state, "{\"weight_map\":{\"x\":\"3.safetensors\"}}", "No such file");
    index_refused(state, "{\"weight_map\":{\"x\":\"2.safetensors\"}}", "tensor x: missing");
    index_refused(state, "{\"weight_map\":{\"x\":\"1.safetensors\",\"x\":\"1.safetensors\"}}",
                  "found key \"x\" again");
    tensors_make(
        in_folder(state, "2.safetensors"),
        "{\"y\":" TENSOR("F32", "[1]", "0", "4") ",\"x\":" TENSOR("F32", "[0]", "4", "4") "}", 4);
    index_refused(state, index, "2.safetensors: tensor x: found here, and 1.safetensors in ");
}

static void a_folder_or_a_file_is_a_model(void **state)
{
    struct tensor_files files;
    struct err err = ERR_INIT;
    tensors_make(in_folder(state, TENSOR_FILES_NAME), X("F32", "[1]", "0", "4"), 4);
    assert_int_equal(tensor_files_open(&files, *state, &err), 0);
    assert_int_equal(files.n, 1);
    tensor_files_close(&files);
    assert_int_equal(tensor_files_open(&files, in_folder(state, TENSOR_FILES_NAME), &err), 0);
    tensor_files_close(&files);
    assert_int_equal(tensor_files_open(&files, in_folder(state, "none"), &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_of_three_types_is_read),
        IN_FOLDER(every_small_number_is_read_exactly),
        IN_FOLDER(a_file_larger_than_memory_is_read),
        IN_FOLDER(hostile_headers_are_refused),
        IN_FOLDER(truncated_files_are_refused),
        IN_FOLDER(lengths_that_cannot_be_are_refused),
        IN_FOLDER(a_file_that_shrinks_is_an_error),
        IN_FOLDER(writing_is_canonical),
        IN_FOLDER(what_would_not_be_canonical_is_not_written),
        IN_FOLDER(a_model_in_several_files_is_one),
        IN_FOLDER(a_folder_or_a_file_is_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
