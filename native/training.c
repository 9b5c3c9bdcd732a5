/* One step of training with feature dropout: scores, gradient and the update of the weights.
 *
 * The twin of this part is veil/detect/linear/dropout.py, which explains what is computed. Sums are
 * rounded differently in the two: they train models of the same quality, but not the same bytes.
 */
#include "native.h"
#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* As _LOWEST of chain.py; how many features ahead rows are fetched. */
static const float LOWEST = -60.0f;
enum { AHEAD = 8, CACHE_LINE = 64 };

typedef struct {
    Py_ssize_t words, features, width, size, sequences;
    const int32_t *feature, *tags, *first, *length;
    const uint8_t *kept;
    float *weights, *squares;
    const float *between;
    int32_t *slots;
    double *by_transition;
    float scale, step;
} Step;

static void fetch(const float *row, Py_ssize_t width)
{
    for (Py_ssize_t offset = 0; offset < width; offset += CACHE_LINE / (Py_ssize_t)sizeof(float))
        PREFETCH(row + offset);
}

static void add_scaled(float *sum, const float *row, float scale, Py_ssize_t width)
{
    for (Py_ssize_t tag = 0; tag < width; tag++)
        sum[tag] += scale * row[tag];
}

/* The kept features of all words, one after another; `bounds` are where those of a word begin. */
static Py_ssize_t gather(const Step *step, int32_t *columns, Py_ssize_t *bounds)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t word = 0; word < step->words; word++) {
        const int32_t *feature = step->feature + word * step->features;
        const uint8_t *kept = step->kept + word * step->features;
        bounds[word] = count;
        for (Py_ssize_t index = 0; index < step->features; index++)
            if (kept[index])
                columns[count++] = feature[index];
    }
    bounds[step->words] = count;
    return count;
}

static void score(const Step *step, const int32_t *columns, const Py_ssize_t *bounds, float *scores)
{
    Py_ssize_t width = step->width, count = bounds[step->words];
    memset(scores, 0, (size_t)(step->words * width) * sizeof(float));
    for (Py_ssize_t word = 0; word < step->words; word++)
        for (Py_ssize_t index = bounds[word]; index < bounds[word + 1]; index++) {
            if (index + AHEAD < count)
                fetch(step->weights + columns[index + AHEAD] * width, width);
            add_scaled(scores + word * width, step->weights + columns[index] * width, step->scale,
                       width);
        }
}

/* Exponentials of a word's scores, less the highest, which is returned. */
static float exponentials(const float *scores, float *result, Py_ssize_t width)
{
    float highest = scores[0];
    for (Py_ssize_t tag = 1; tag < width; tag++)
        if (highest < scores[tag])
            highest = scores[tag];
    for (Py_ssize_t tag = 0; tag < width; tag++) {
        float score = scores[tag] - highest;
        result[tag] = expf(score < LOWEST ? LOWEST : score);
    }
    return highest;
}

/* result = row @ matrix */
static void multiply(const float *row, const float *matrix, float *result, Py_ssize_t width)
{
    memset(result, 0, (size_t)width * sizeof(float));
    for (Py_ssize_t from = 0; from < width; from++)
        add_scaled(result, matrix + from * width, row[from], width);
}

/* Forward and backward over one sequence (Rabiner's scaled version). The tags before and after it
 * are O. The scores become their gradient; pairs of tags are added up. Returns the loss. */
static double differentiate(const Step *step, Py_ssize_t first, Py_ssize_t length,
                            const float *transit, const float *return_transit, float *scores,
                            float *forward, float *weights, float *scales, float *pairs)
{
    Py_ssize_t width = step->width;
    float *backward = scales + length, *ahead = backward + width;
    const int32_t *tags = step->tags + first;
    double loss = 0.0;
    int32_t before = 0;
    for (Py_ssize_t word = 0; word < length; word++) {
        float *row = scores + word * width, *reached = forward + word * width;
        float *weight = weights + word * width, sum = 0.0f;
        loss += exponentials(row, weight, width);
        loss -= row[tags[word]] + step->between[before * width + tags[word]];
        before = tags[word];
        if (word == 0)
            memcpy(reached, transit, (size_t)width * sizeof(float));
        else
            multiply(reached - width, transit, reached, width);
        for (Py_ssize_t tag = 0; tag < width; tag++)
            sum += reached[tag] *= weight[tag];
        scales[word] = sum;
        loss += log(sum);
        for (Py_ssize_t tag = 0; tag < width; tag++)
            reached[tag] /= sum;
    }
    loss -= step->between[before * width];
    float total = 0.0f;
    const float *last = forward + (length - 1) * width;
    for (Py_ssize_t tag = 0; tag < width; tag++)
        total += last[tag] * (backward[tag] = transit[tag * width]);
    loss += log(total);
    for (Py_ssize_t tag = 0; tag < width; tag++)
        backward[tag] /= total;
    for (Py_ssize_t word = length - 1; 0 <= word; word--) {
        float *row = scores + word * width;
        const float *reached = forward + word * width;
        for (Py_ssize_t tag = 0; tag < width; tag++)
            row[tag] = reached[tag] * backward[tag];
        if (word == 0)
            break;
        for (Py_ssize_t tag = 0; tag < width; tag++)
            ahead[tag] = weights[word * width + tag] * backward[tag] / scales[word];
        for (Py_ssize_t tag = 0; tag < width; tag++)
            add_scaled(pairs + tag * width, ahead, reached[tag - width], width);
        multiply(ahead, return_transit, backward, width);
    }
    double *by_transition = step->by_transition;
    for (Py_ssize_t tag = 0; tag < width; tag++) {
        by_transition[tag] += scores[tag];
        by_transition[tag * width] += scores[(length - 1) * width + tag];
    }
    before = 0;
    for (Py_ssize_t word = 0; word < length; word++) {
        scores[word * width + tags[word]] -= 1.0f;
        by_transition[before * width + tags[word]] -= 1.0;
        before = tags[word];
    }
    by_transition[before * width] -= 1.0;
    return loss;
}

/* AdaGrad: steps shrink with the squares of all gradients so far. A feature counts once a batch. */
static void update(const Step *step, const int32_t *columns, const Py_ssize_t *bounds,
                   const float *by_score, float *gradient, int32_t *used)
{
    Py_ssize_t width = step->width, count = 0;
    for (Py_ssize_t word = 0; word < step->words; word++)
        for (Py_ssize_t index = bounds[word]; index < bounds[word + 1]; index++) {
            int32_t column = columns[index], slot = step->slots[column];
            if (slot < 0) {
                slot = step->slots[column] = (int32_t)count;
                used[count++] = column;
                memset(gradient + slot * width, 0, (size_t)width * sizeof(float));
            }
            add_scaled(gradient + slot * width, by_score + word * width, step->scale, width);
        }
    for (Py_ssize_t slot = 0; slot < count; slot++) {
        if (slot + AHEAD < count) {
            fetch(step->weights + used[slot + AHEAD] * width, width);
            fetch(step->squares + used[slot + AHEAD] * width, width);
        }
        float *weights = step->weights + used[slot] * width;
        float *squares = step->squares + used[slot] * width;
        const float *row = gradient + slot * width;
        for (Py_ssize_t tag = 0; tag < width; tag++) {
            squares[tag] += row[tag] * row[tag];
            weights[tag] -= step->step * row[tag] / sqrtf(squares[tag]);
        }
        step->slots[used[slot]] = -1;
    }
}

static int is_within(const Step *step)
{
    Py_ssize_t next = 0;
    for (Py_ssize_t index = 0; index < step->words * step->features; index++)
        if (step->feature[index] < 0 || step->size <= step->feature[index])
            return 0;
    for (Py_ssize_t word = 0; word < step->words; word++)
        if (step->tags[word] < 0 || step->width <= step->tags[word])
            return 0;
    for (Py_ssize_t sequence = 0; sequence < step->sequences; sequence++) {
        if (step->first[sequence] != next || step->length[sequence] < 1)
            return 0;
        next += step->length[sequence];
    }
    return next == step->words;
}

static int learn(const Step *step, double *loss)
{
    Py_ssize_t words = step->words, width = step->width, square = width * width;
    Py_ssize_t most = words * step->features, longest = 0;
    for (Py_ssize_t sequence = 0; sequence < step->sequences; sequence++)
        if (longest < step->length[sequence])
            longest = step->length[sequence];
    int32_t *columns = PyMem_Malloc((size_t)(2 * most + 1) * sizeof(int32_t));
    Py_ssize_t *bounds = PyMem_Malloc((size_t)(words + 1) * sizeof(Py_ssize_t));
    float *scores = PyMem_Malloc(
        (size_t)(words * width + 2 * longest * width + longest + 2 * width + 3 * square) *
        sizeof(float));
    float *gradient = NULL;
    if (columns == NULL || bounds == NULL || scores == NULL)
        goto failed;
    Py_ssize_t count = gather(step, columns, bounds);
    gradient = PyMem_Malloc((size_t)(count * width + 1) * sizeof(float));
    if (gradient == NULL)
        goto failed;
    float *transit = scores + words * width, *return_transit = transit + square;
    float *pairs = return_transit + square, *forward = pairs + square;
    float *weights = forward + longest * width, *scales = weights + longest * width;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t from = 0; from < width; from++)
        for (Py_ssize_t to = 0; to < width; to++)
            return_transit[to * width + from] = transit[from * width + to] =
                expf(step->between[from * width + to]);
    memset(pairs, 0, (size_t)square * sizeof(float));
    score(step, columns, bounds, scores);
    *loss = 0.0;
    for (Py_ssize_t sequence = 0; sequence < step->sequences; sequence++)
        *loss += differentiate(step, step->first[sequence], step->length[sequence], transit,
                               return_transit, scores + step->first[sequence] * width, forward,
                               weights, scales, pairs);
    for (Py_ssize_t index = 0; index < square; index++)
        step->by_transition[index] += pairs[index] * transit[index];
    update(step, columns, bounds, scores, gradient, columns + most);
    Py_END_ALLOW_THREADS
    PyMem_Free(gradient);
    PyMem_Free(scores);
    PyMem_Free(bounds);
    PyMem_Free(columns);
    return 0;
failed:
    PyMem_Free(gradient);
    PyMem_Free(scores);
    PyMem_Free(bounds);
    PyMem_Free(columns);
    PyErr_NoMemory();
    return -1;
}

enum { FEATURES, KEPT, TAGS, FIRST, LENGTH, WEIGHTS, SQUARES, SLOTS, BETWEEN, BY_TRANSITION, ARRAYS };

static PyObject *train_step(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    static const Py_ssize_t sizes[ARRAYS] = {4, 1, 4, 4, 4, 4, 4, 4, 4, 8};
    static const int is_writable[ARRAYS] = {0, 0, 0, 0, 0, 1, 1, 1, 0, 1};
    PyObject *objects[ARRAYS], *result = NULL;
    Py_buffer views[ARRAYS];
    float scale, step_size;
    double loss = 0.0;
    int got = 0;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOOOff", &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6], &objects[7],
                          &objects[8], &objects[9], &scale, &step_size))
        return NULL;
    for (; got < ARRAYS; got++)
        if (veil_get_buffer(objects[got], &views[got], sizes[got], is_writable[got]) < 0)
            goto release;
    Py_ssize_t words = views[TAGS].len / 4, size = views[SLOTS].len / 4;
    Step step = {
        .words = words,
        .features = words ? views[KEPT].len / words : 0,
        .width = size ? views[WEIGHTS].len / 4 / size : 0,
        .size = size,
        .sequences = views[FIRST].len / 4,
        .feature = views[FEATURES].buf,
        .tags = views[TAGS].buf,
        .first = views[FIRST].buf,
        .length = views[LENGTH].buf,
        .kept = views[KEPT].buf,
        .weights = views[WEIGHTS].buf,
        .squares = views[SQUARES].buf,
        .between = views[BETWEEN].buf,
        .slots = views[SLOTS].buf,
        .by_transition = views[BY_TRANSITION].buf,
        .scale = scale,
        .step = step_size,
    };
    Py_ssize_t square = step.width * step.width;
    if (words * step.features != views[KEPT].len || views[FEATURES].len != 4 * views[KEPT].len ||
        size * step.width * 4 != views[WEIGHTS].len || views[SQUARES].len != views[WEIGHTS].len ||
        views[FIRST].len != views[LENGTH].len || views[BETWEEN].len != 4 * square ||
        views[BY_TRANSITION].len != 8 * square || !is_within(&step)) {
        PyErr_SetString(PyExc_ValueError, "the arrays of a training step do not fit together");
        goto release;
    }
    if (learn(&step, &loss) == 0)
        result = PyFloat_FromDouble(loss);
release:
    while (got)
        PyBuffer_Release(&views[--got]);
    return result;
}

static PyMethodDef functions[] = {
    {"train_step", train_step, METH_VARARGS,
     "Take one step of training in place; return the loss of the batch."},
    {NULL, NULL, 0, NULL},
};

int veil_add_training(PyObject *module)
{
    return PyModule_AddFunctions(module, functions);
}
