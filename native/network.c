/* Scores of a network: windows of tokens, read in both directions.
 *
 * The twin of this part is veil/detect/neural/scoring.py. Sums of products of whole numbers are
 * exact; all other operations are in the same order as there, so that the scores are exactly the
 * same.
 */
#include "native.h"
#include <string.h>

/* Variants for newer processors, chosen at run time. */
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_VARIANTS 1
#endif
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define INLINE static inline
#define PREFETCH(address) ((void)(address))
#endif

/* Windows that are read together, so that weights are loaded once for all of them; the columns of
 * a block of weights, and the bytes of the weights of one column that are multiplied at once (see
 * _layer in scoring.py). */
enum { DIRECTIONS = 2, GATES = 4, TOGETHER = 4, COLUMNS = 32, GROUP = 4, CACHE_LINE = 64 };

/* The largest state as a whole number, and 0 among states of one byte. */
static const float LARGEST = 127.0f;
enum { ZERO = 128 };

/* Whole numbers by block of columns, group of rows and column, initial values of the sums, and the
 * scale of each column. Numbers have two bytes, or one; then inputs are from 1 to 255 instead of
 * from -127 to 127, and the initial values compensate for it. */
typedef struct {
    const char *weights;
    const int32_t *begin;
    const float *scale;
    Py_ssize_t groups, blocks;
} Layer;

/* What a feature adds to the gates of each token, in whole numbers. */
typedef struct {
    Py_buffer row_of, rows;
    Py_ssize_t count;
} Place;

typedef struct {
    Py_ssize_t hidden, tokens, windows, forms, tags, place_count;
    const int32_t *window, *form;
    const float *form_rows, *place_scale, *tag_bias;
    Place *places;
    Layer recurrent[DIRECTIONS], tag;
    char *states; /* a row per token: those of one direction, then those of the other */
    float *scores;
} Task;

/* A window that is being read: the next token, and how many are left. */
typedef struct {
    Py_ssize_t at, left;
    char *state;
    float *cell;
} Reader;

/* ---- Products ------------------------------------------------------------------------------- */

typedef void Multiply(const Layer *layer, char *const *inputs, int count, int32_t *sums);

/* Rows of whole numbers by a layer; the sums of a row fill all blocks. */
static void multiply_plain(const Layer *layer, char *const *inputs, int count, int32_t *sums)
{
    for (Py_ssize_t block = 0; block < layer->blocks; block++)
        for (int row = 0; row < count; row++) {
            const int16_t *weights = (const int16_t *)layer->weights;
            const int16_t *input = (const int16_t *)inputs[row];
            int32_t sum[COLUMNS];
            memcpy(sum, layer->begin + block * COLUMNS, sizeof sum);
            weights += block * layer->groups * COLUMNS * 2;
            for (Py_ssize_t pair = 0; pair < layer->groups; pair++, weights += COLUMNS * 2) {
                int16_t first = input[2 * pair], second = input[2 * pair + 1];
                for (int column = 0; column < COLUMNS; column++)
                    sum[column] += weights[2 * column] * first + weights[2 * column + 1] * second;
            }
            memcpy(sums + (row * layer->blocks + block) * COLUMNS, sum, sizeof sum);
        }
}

#ifdef HAS_VARIANTS
/* The same with the sums of some rows and columns in registers. */
#define DEFINE_MULTIPLY(name, instructions, Vector, load, store, repeat, add_products)             \
    __attribute__((target(instructions))) INLINE void name##_some(                                 \
        const Layer *layer, Py_ssize_t column, char *const *inputs, int count, int32_t *sums)      \
    {                                                                                              \
        enum { WIDTH = sizeof(Vector) / GROUP };                                                   \
        const char *weights = layer->weights + column / COLUMNS * layer->groups * COLUMNS * GROUP +\
                              column % COLUMNS * GROUP;                                            \
        Vector sum[TOGETHER][2];                                                                   \
        for (int row = 0; row < count; row++)                                                      \
            for (int part = 0; part < 2; part++)                                                   \
                sum[row][part] = load((const void *)(layer->begin + column + part * WIDTH));       \
        for (Py_ssize_t at = 0; at < layer->groups * GROUP; at += GROUP)                           \
            for (int row = 0; row < count; row++) {                                                \
                int32_t group;                                                                     \
                memcpy(&group, inputs[row] + at, GROUP);                                           \
                for (int part = 0; part < 2; part++) {                                             \
                    const char *own = weights + at * COLUMNS + part * (int)sizeof(Vector);         \
                    sum[row][part] = add_products(sum[row][part], repeat(group),                   \
                                                  load((const void *)own));                        \
                }                                                                                  \
            }                                                                                      \
        for (int row = 0; row < count; row++)                                                      \
            for (int part = 0; part < 2; part++) {                                                 \
                int32_t *own = sums + row * layer->blocks * COLUMNS + column + part * WIDTH;       \
                store((void *)own, sum[row][part]);                                                \
            }                                                                                      \
    }                                                                                              \
    __attribute__((target(instructions))) static void name(                                        \
        const Layer *layer, char *const *inputs, int count, int32_t *sums)                         \
    {                                                                                              \
        Py_ssize_t columns = layer->blocks * COLUMNS;                                              \
        for (Py_ssize_t column = 0; column < columns; column += 2 * sizeof(Vector) / GROUP) {      \
            int row = 0;                                                                           \
            for (; row + 4 <= count; row += 4)                                                     \
                name##_some(layer, column, inputs + row, 4, sums + row * columns);                 \
            for (; row + 2 <= count; row += 2)                                                     \
                name##_some(layer, column, inputs + row, 2, sums + row * columns);                 \
            for (; row < count; row++)                                                             \
                name##_some(layer, column, inputs + row, 1, sums + row * columns);                 \
        }                                                                                          \
    }
#define ADD_PAIRS_SSE2(sum, inputs, weights) _mm_add_epi32(sum, _mm_madd_epi16(inputs, weights))
#define ADD_PAIRS_AVX2(sum, inputs, weights)                                                       \
    _mm256_add_epi32(sum, _mm256_madd_epi16(inputs, weights))
#define SSE2 "sse2"
#define AVX2 "avx2"
#define VNNI "avx512bw,avx512vnni"
DEFINE_MULTIPLY(multiply_sse2, SSE2, __m128i, _mm_loadu_si128, _mm_storeu_si128, _mm_set1_epi32,
                ADD_PAIRS_SSE2)
DEFINE_MULTIPLY(multiply_avx2, AVX2, __m256i, _mm256_loadu_si256, _mm256_storeu_si256,
                _mm256_set1_epi32, ADD_PAIRS_AVX2)
DEFINE_MULTIPLY(multiply_vnni, VNNI, __m512i, _mm512_loadu_si512, _mm512_storeu_si512,
                _mm512_set1_epi32, _mm512_dpbusd_epi32)
#endif

/* ---- Reading -------------------------------------------------------------------------------- */

/* As tanh of scoring.py. */
INLINE float tangent(float x)
{
    x = x < -8.0f ? -8.0f : x;
    x = 8.0f < x ? 8.0f : x;
    float square = x * x;
    float above = ((46.6624489f * square + 12124.7041f) * square + 532777.75f) * square;
    float below = (((square + 977.906311f) * square + 98042.3281f) * square + 1908000.88f) * square;
    return x * (above + 4125695.75f) / (below + 4125698.25f);
}

/* Round a number below 2**22; halves go to the even number. */
INLINE float rounded(float x)
{
    const float large = 12582912.0f; /* its unit is 1 */
    return x + large - large;
}

INLINE const float *place_row(const Task *task, Py_ssize_t index, Py_ssize_t at)
{
    const Place *place = task->places + index;
    int32_t number = ((const int32_t *)place->row_of.buf)[at];
    return (const float *)place->rows.buf + number * DIRECTIONS * GATES * task->hidden;
}

/* The gates of a token, from its rows and the sums of the state before. */
INLINE void open_gates(const Task *task, int direction, Py_ssize_t at, const int32_t *restrict sums,
                       float *restrict gates)
{
    Py_ssize_t size = GATES * task->hidden, own = direction * size, width = DIRECTIONS * size;
    const float *restrict place_scale = task->place_scale + own;
    const float *restrict scale = task->recurrent[direction].scale;
    const float *restrict form = task->form_rows + task->form[at] * width + own;
    memcpy(gates, place_row(task, 0, at) + own, (size_t)size * sizeof *gates);
    Py_ssize_t index = 1;
    for (; index + 4 <= task->place_count; index += 4) {
        const float *restrict first = place_row(task, index, at) + own;
        const float *restrict second = place_row(task, index + 1, at) + own;
        const float *restrict third = place_row(task, index + 2, at) + own;
        const float *restrict fourth = place_row(task, index + 3, at) + own;
        for (Py_ssize_t gate = 0; gate < size; gate++)
            gates[gate] += first[gate] + second[gate] + third[gate] + fourth[gate];
    }
    for (; index < task->place_count; index++) {
        const float *restrict row = place_row(task, index, at) + own;
        for (Py_ssize_t gate = 0; gate < size; gate++)
            gates[gate] += row[gate];
    }
    for (Py_ssize_t gate = 0; gate < size; gate++) {
        float sum = form[gate] + gates[gate] * place_scale[gate];
        gates[gate] = tangent(sum + (float)sums[gate] * scale[gate]);
    }
}

/* The next state: apply the gates to the cell. */
INLINE void step(const float *restrict gates, float *restrict cell, char *restrict state,
                 Py_ssize_t hidden, int bytes)
{
    const float *keep = gates + hidden, *let_out = keep + hidden, *new = let_out + hidden;
    uint8_t *restrict small = (uint8_t *)state;
    int16_t *restrict large = (int16_t *)state;
    for (Py_ssize_t unit = 0; unit < hidden; unit++) {
        /* A sigmoid is a tangent, half as steep and half as high; weights are halved already. */
        float kept = cell[unit] * ((keep[unit] + 1.0f) * 0.5f);
        cell[unit] = kept + (gates[unit] + 1.0f) * 0.5f * new[unit];
        float out = tangent(cell[unit]) * ((let_out[unit] + 1.0f) * 0.5f);
        int32_t number = (int32_t)rounded(out * LARGEST);
        if (bytes == 1)
            small[unit] = (uint8_t)(number + ZERO);
        else
            large[unit] = (int16_t)number;
    }
}

INLINE void fetch_form(const Task *task, int direction, Py_ssize_t at)
{
    Py_ssize_t size = GATES * task->hidden;
    const char *row =
        (const char *)(task->form_rows + task->form[at] * DIRECTIONS * size + direction * size);
    for (Py_ssize_t offset = 0; offset < size * (Py_ssize_t)sizeof(float); offset += CACHE_LINE)
        PREFETCH(row + offset);
}

INLINE void start_window(const Task *task, int direction, Py_ssize_t window, Reader *reader,
                         int bytes)
{
    Py_ssize_t start = task->window[2 * window], end = task->window[2 * window + 1];
    reader->at = direction ? end - 1 : start;
    reader->left = end - start;
    memset(reader->state, bytes == 1 ? ZERO : 0,
           (size_t)(task->recurrent[direction].groups * GROUP));
    memset(reader->cell, 0, (size_t)task->hidden * sizeof(float));
    fetch_form(task, direction, reader->at);
}

/* Read all windows in one direction: a reader that has reached the end takes the next window. */
INLINE void read_windows(const Task *task, int direction, Reader *readers, int32_t *sums,
                         float *gates, Multiply *multiply, int bytes)
{
    const Layer *layer = &task->recurrent[direction];
    Py_ssize_t next = 0, hidden = task->hidden;
    char *inputs[TOGETHER];
    int count = 0;
    for (; count < TOGETHER && next < task->windows; count++)
        start_window(task, direction, next++, readers + count, bytes);
    while (0 < count) {
        for (int index = 0; index < count; index++)
            inputs[index] = readers[index].state;
        multiply(layer, inputs, count, sums);
        for (int index = count - 1; 0 <= index; index--) {
            Reader *reader = readers + index;
            open_gates(task, direction, reader->at, sums + index * layer->blocks * COLUMNS, gates);
            step(gates, reader->cell, reader->state, hidden, bytes);
            memcpy(task->states + (reader->at * DIRECTIONS + direction) * hidden * bytes,
                   reader->state, (size_t)(hidden * bytes));
            reader->at += direction ? -1 : 1;
            if (0 < --reader->left)
                fetch_form(task, direction, reader->at);
            else if (next < task->windows)
                start_window(task, direction, next++, reader, bytes);
            else {
                Reader done = *reader;
                *reader = readers[--count];
                readers[count] = done;
            }
        }
    }
}

INLINE void score_all(const Task *task, Reader *readers, int32_t *sums, float *gates,
                      Multiply *multiply, int bytes)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        read_windows(task, direction, readers, sums, gates, multiply, bytes);
    for (Py_ssize_t at = 0; at < task->tokens; at += TOGETHER) {
        int count = task->tokens - at < TOGETHER ? (int)(task->tokens - at) : TOGETHER;
        char *inputs[TOGETHER];
        for (int index = 0; index < count; index++)
            inputs[index] = task->states + (at + index) * DIRECTIONS * task->hidden * bytes;
        multiply(&task->tag, inputs, count, sums);
        for (int index = 0; index < count; index++) {
            const int32_t *restrict sum = sums + index * task->tag.blocks * COLUMNS;
            float *restrict scores = task->scores + (at + index) * task->tags;
            for (Py_ssize_t tag = 0; tag < task->tags; tag++)
                scores[tag] = (float)sum[tag] * task->tag.scale[tag] + task->tag_bias[tag];
        }
    }
}

typedef void Score(const Task *task, Reader *readers, int32_t *sums, float *gates);

static void score_plain(const Task *task, Reader *readers, int32_t *sums, float *gates)
{
    score_all(task, readers, sums, gates, multiply_plain, 2);
}

#ifdef HAS_VARIANTS
static void score_sse2(const Task *task, Reader *readers, int32_t *sums, float *gates)
{
    score_all(task, readers, sums, gates, multiply_sse2, 2);
}

__attribute__((target(AVX2))) static void score_avx2(const Task *task, Reader *readers,
                                                     int32_t *sums, float *gates)
{
    score_all(task, readers, sums, gates, multiply_avx2, 2);
}

__attribute__((target(VNNI))) static void score_vnni(const Task *task, Reader *readers,
                                                     int32_t *sums, float *gates)
{
    score_all(task, readers, sums, gates, multiply_vnni, 1);
}
#endif

/* A variant of scoring and multiplication, and the bytes of its weights. */
typedef struct {
    Score *score;
    Multiply *multiply;
    int bytes;
} Variant;

enum { VARIANTS = 4 };

/* The variants that this processor can run, the fastest first; returns their number. */
static int find_variants(Variant *variants)
{
    int count = 0;
#ifdef HAS_VARIANTS
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"))
        variants[count++] = (Variant){score_vnni, multiply_vnni, 1};
    if (__builtin_cpu_supports("avx2"))
        variants[count++] = (Variant){score_avx2, multiply_avx2, 2};
    variants[count++] = (Variant){score_sse2, multiply_sse2, 2};
#endif
    variants[count++] = (Variant){score_plain, multiply_plain, 2};
    return count;
}

/* ---- Arguments ------------------------------------------------------------------------------ */

/* Whether all windows are inside the tokens, and all their rows exist. */
static int is_within(const Task *task)
{
    for (Py_ssize_t window = 0; window < task->windows; window++) {
        Py_ssize_t start = task->window[2 * window], end = task->window[2 * window + 1];
        if (start < 0 || end <= start || task->tokens < end)
            return 0;
        for (Py_ssize_t at = start; at < end; at++)
            if (task->form[at] < 0 || task->forms <= task->form[at])
                return 0;
        for (Py_ssize_t index = 0; index < task->place_count; index++) {
            const int32_t *row_of = task->places[index].row_of.buf;
            for (Py_ssize_t at = start; at < end; at++)
                if (row_of[at] < 0 || task->places[index].count <= row_of[at])
                    return 0;
        }
    }
    return 1;
}

/* Get the rows of all features; `place_count` grows with what must be released. */
static int get_places(PyObject *pairs, Task *task, Py_ssize_t width)
{
    Py_ssize_t size = PySequence_Size(pairs);
    if (size < 0 || (task->places = PyMem_Calloc((size_t)size + 1, sizeof(Place))) == NULL)
        return size < 0 ? -1 : (PyErr_NoMemory(), -1);
    while (task->place_count < size) {
        Place *place = task->places + task->place_count;
        PyObject *pair = PySequence_GetItem(pairs, task->place_count), *row_of, *rows;
        int failed = pair == NULL || !PyArg_ParseTuple(pair, "OO", &row_of, &rows) ||
                     veil_get_buffer(row_of, &place->row_of, 4, 0) < 0;
        if (!failed && (failed = veil_get_buffer(rows, &place->rows, 4, 0) < 0))
            PyBuffer_Release(&place->row_of);
        Py_XDECREF(pair);
        if (failed)
            return -1;
        place->count = place->rows.len / 4 / width;
        task->place_count++;
    }
    return 0;
}

static int run(Task *task, Variant variant)
{
    int bytes = variant.bytes;
    Py_ssize_t hidden = task->hidden, state_size = task->recurrent[0].groups * GROUP;
    Py_ssize_t blocks = task->recurrent[0].blocks;
    if (blocks < task->tag.blocks)
        blocks = task->tag.blocks;
    /* A group of inputs may reach beyond the last state: its weights are 0. */
    size_t states_size = (size_t)(task->tokens * DIRECTIONS * hidden * bytes + GROUP);
    int32_t *sums = PyMem_Malloc((size_t)(TOGETHER * blocks * COLUMNS) * sizeof(int32_t));
    float *numbers = PyMem_Malloc((size_t)((GATES + TOGETHER) * hidden) * sizeof(float));
    char *state = PyMem_Malloc((size_t)(TOGETHER * state_size));
    task->states = PyMem_Malloc(states_size);
    int failed = sums == NULL || numbers == NULL || state == NULL || task->states == NULL;
    if (!failed) {
        Reader readers[TOGETHER];
        for (int index = 0; index < TOGETHER; index++) {
            readers[index].state = state + index * state_size;
            readers[index].cell = numbers + (GATES + index) * hidden;
        }
        Py_BEGIN_ALLOW_THREADS
        memset(task->states, bytes == 1 ? ZERO : 0, states_size);
        variant.score(task, readers, sums, numbers);
        Py_END_ALLOW_THREADS
    }
    PyMem_Free(task->states);
    PyMem_Free(state);
    PyMem_Free(numbers);
    PyMem_Free(sums);
    return failed ? (PyErr_NoMemory(), -1) : 0;
}

/* Set a layer from its weights, initial sums and scale; returns whether the sizes match. */
static int set_layer(Layer *layer, const Py_buffer views[3], Py_ssize_t inputs, Py_ssize_t outputs,
                     int bytes)
{
    layer->weights = views[0].buf;
    layer->begin = views[1].buf;
    layer->scale = views[2].buf;
    layer->groups = (inputs * bytes + GROUP - 1) / GROUP;
    layer->blocks = (outputs + COLUMNS - 1) / COLUMNS;
    return views[0].len == layer->groups * GROUP * layer->blocks * COLUMNS &&
           views[1].len / 4 == layer->blocks * COLUMNS && views[2].len / 4 == outputs;
}

enum { WINDOWS, FORM, FORM_ROWS, PLACE_SCALE, TAG_BIAS, SCORES, FORWARD, BACKWARD = FORWARD + 3,
       TAGS = BACKWARD + 3, ARRAYS = TAGS + 3 };

static PyObject *score_windows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *result = NULL;
    Py_buffer views[ARRAYS];
    Task task = {0};
    int got = 0;
    if (PyTuple_Size(arguments) != ARRAYS + 2)
        return PyErr_Format(PyExc_TypeError, "%d arguments expected", ARRAYS + 2);
    Variant variants[VARIANTS];
    Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GetItem(arguments, ARRAYS + 1));
    if (number < 0 || find_variants(variants) <= number)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "no such variant");
    int bytes = variants[number].bytes;
    for (; got < ARRAYS; got++) {
        int is_weights = FORWARD <= got && (got - FORWARD) % 3 == 0;
        if (veil_get_buffer(PyTuple_GetItem(arguments, got), &views[got], is_weights ? bytes : 4,
                            got == SCORES) < 0)
            goto release;
    }
    Py_ssize_t width = views[PLACE_SCALE].len / 4, gates = width / DIRECTIONS;
    task.hidden = gates / GATES;
    task.tokens = views[FORM].len / 4;
    task.windows = views[WINDOWS].len / 8;
    task.tags = views[TAG_BIAS].len / 4;
    task.window = views[WINDOWS].buf;
    task.form = views[FORM].buf;
    task.form_rows = views[FORM_ROWS].buf;
    task.place_scale = views[PLACE_SCALE].buf;
    task.tag_bias = views[TAG_BIAS].buf;
    task.scores = views[SCORES].buf;
    int fits = 0 < task.hidden && task.hidden * GATES * DIRECTIONS == width &&
               views[SCORES].len / 4 == task.tokens * task.tags;
    if (fits) {
        task.forms = views[FORM_ROWS].len / 4 / width;
        if (get_places(PyTuple_GetItem(arguments, ARRAYS), &task, width) < 0)
            goto release;
        fits = 0 < task.place_count &&
               set_layer(&task.recurrent[0], views + FORWARD, task.hidden, gates, bytes) &&
               set_layer(&task.recurrent[1], views + BACKWARD, task.hidden, gates, bytes) &&
               set_layer(&task.tag, views + TAGS, DIRECTIONS * task.hidden, task.tags, bytes);
        for (Py_ssize_t index = 0; index < task.place_count; index++)
            fits = fits && task.places[index].row_of.len == views[FORM].len;
    }
    if (!fits || !is_within(&task))
        PyErr_SetString(PyExc_ValueError, "the arrays of a network do not fit together");
    else if (run(&task, variants[number]) == 0)
        result = Py_NewRef(Py_None);
release:
    while (task.place_count) {
        PyBuffer_Release(&task.places[--task.place_count].row_of);
        PyBuffer_Release(&task.places[task.place_count].rows);
    }
    PyMem_Free(task.places);
    while (got)
        PyBuffer_Release(&views[--got]);
    return result;
}

/* Multiply rows of inputs, some at a time; `padded` has room for the inputs of these. */
static void multiply_all(const Layer *layer, const Py_buffer *inputs, Py_ssize_t width,
                         const float *bias, Py_ssize_t outputs, float *products, Variant variant,
                         char *padded, int32_t *sums)
{
    Py_ssize_t count = inputs->len / width, size = layer->groups * GROUP;
    char *rows[TOGETHER];
    for (int index = 0; index < TOGETHER; index++)
        rows[index] = padded + index * size;
    for (Py_ssize_t at = 0; at < count; at += TOGETHER) {
        int some = count - at < TOGETHER ? (int)(count - at) : TOGETHER;
        for (int index = 0; index < some; index++) {
            const int8_t *restrict input = (const int8_t *)inputs->buf + (at + index) * width;
            uint8_t *restrict small = (uint8_t *)rows[index];
            int16_t *restrict large = (int16_t *)rows[index];
            if (variant.bytes == 1)
                for (Py_ssize_t place = 0; place < width; place++)
                    small[place] = (uint8_t)(input[place] + ZERO);
            else
                for (Py_ssize_t place = 0; place < width; place++)
                    large[place] = input[place];
        }
        variant.multiply(layer, rows, some, sums);
        for (int index = 0; index < some; index++) {
            const int32_t *restrict sum = sums + index * layer->blocks * COLUMNS;
            float *restrict product = products + (at + index) * outputs;
            for (Py_ssize_t column = 0; column < outputs; column++)
                product[column] = (float)sum[column] * layer->scale[column] + bias[column];
        }
    }
}

enum { INPUTS, LAYER, BIAS = LAYER + 3, PRODUCTS, MULTIPLIED };

static PyObject *multiply_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *result = NULL;
    Py_buffer views[MULTIPLIED];
    int got = 0;
    if (PyTuple_Size(arguments) != MULTIPLIED + 1)
        return PyErr_Format(PyExc_TypeError, "%d arguments expected", MULTIPLIED + 1);
    Variant variants[VARIANTS];
    Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GetItem(arguments, MULTIPLIED));
    if (number < 0 || find_variants(variants) <= number)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "no such variant");
    int bytes = variants[number].bytes;
    for (; got < MULTIPLIED; got++)
        if (veil_get_buffer(PyTuple_GetItem(arguments, got), &views[got],
                            got == INPUTS ? 1 : got == LAYER ? bytes : 4, got == PRODUCTS) < 0)
            goto release;
    Layer layer;
    Py_ssize_t outputs = views[BIAS].len / 4;
    Py_ssize_t count = outputs ? views[PRODUCTS].len / 4 / outputs : 0;
    Py_ssize_t width = count ? views[INPUTS].len / count : 0;
    if (!width || width * count != views[INPUTS].len || outputs * count != views[PRODUCTS].len / 4 ||
        !set_layer(&layer, views + LAYER, width, outputs, bytes)) {
        PyErr_SetString(PyExc_ValueError, "the arrays of a network do not fit together");
        goto release;
    }
    /* A group of inputs may reach beyond the last one: its weights are 0. */
    char *padded = PyMem_Calloc(TOGETHER, (size_t)(layer.groups * GROUP));
    int32_t *sums = PyMem_Malloc((size_t)(TOGETHER * layer.blocks * COLUMNS) * sizeof(int32_t));
    if (padded == NULL || sums == NULL)
        PyErr_NoMemory();
    else {
        Py_BEGIN_ALLOW_THREADS
        multiply_all(&layer, &views[INPUTS], width, views[BIAS].buf, outputs, views[PRODUCTS].buf,
                     variants[number], padded, sums);
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    PyMem_Free(sums);
    PyMem_Free(padded);
release:
    while (got)
        PyBuffer_Release(&views[--got]);
    return result;
}

static PyMethodDef functions[] = {
    {"multiply_rows", multiply_rows, METH_VARARGS,
     "Multiply rows of whole numbers by a layer, and write the products."},
    {"score_windows", score_windows, METH_VARARGS,
     "Read windows of tokens in both directions, and write the scores of all tokens."},
    {NULL, NULL, 0, NULL},
};

int veil_add_network(PyObject *module)
{
    Variant variants[VARIANTS];
    int count = find_variants(variants);
    PyObject *sizes = PyTuple_New(count);
    for (int index = 0; sizes != NULL && index < count; index++) {
        PyObject *size = PyLong_FromLong(variants[index].bytes);
        if (size == NULL || PyTuple_SetItem(sizes, index, size) < 0)
            Py_CLEAR(sizes);
    }
    int failed = PyModule_AddObjectRef(module, "NETWORK_BYTES", sizes) < 0;
    Py_XDECREF(sizes);
    return failed ? -1 : PyModule_AddFunctions(module, functions);
}
