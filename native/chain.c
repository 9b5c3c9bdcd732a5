/* The linear chain: the best tags of a stream of tokens, and how probable the tags of spans are.
 *
 * The twins of this part are veil/detect/linear/chain.py, which explains what is computed, and the
 * spans of veil/detect/linear/tagger.py. Scores, paths and thresholds are rounded as there, so that
 * the tags are the same; probabilities differ in the last bits.
 */
#include "native.h"
#include <math.h>
#include <string.h>

/* As _NEVER, _ROUNDING and _LOWEST of chain.py. */
static const double NEVER = -1e4, ROUNDING = 1e-3, LOWEST = -60.0;
/* Calibrated probabilities stay this far from 0 and 1. */
static const double CLIPPED = 1e-6;

enum { LANES = 8, WIDEST = 1 << 15 };

typedef struct {
    PyObject_HEAD
    Py_ssize_t width;
    /* From a tag (row) to the next; `onward` is the same by the next tag. */
    float *between, *onward, *leads, *start, *end;
    /* The exponentials of these. */
    double *transit, *return_transit, *first, *last;
    double enter, leave, stay;
} Chain;

/* ---- Making a chain ------------------------------------------------------------------------- */

static int read_floats(PyObject *object, Py_buffer *view, Py_ssize_t count)
{
    if (veil_get_buffer(object, view, sizeof(float), 0) < 0)
        return -1;
    if (view->len != count * (Py_ssize_t)sizeof(float)) {
        PyErr_SetString(PyExc_ValueError, "the arrays of a chain are of different sizes");
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

static int copy_floats(PyObject *object, float *copy, Py_ssize_t count)
{
    Py_buffer view;
    if (read_floats(object, &view, count) < 0)
        return -1;
    memcpy(copy, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return 0;
}

static int copy_doubles(PyObject *object, double *copy, Py_ssize_t count)
{
    Py_buffer view;
    if (read_floats(object, &view, count) < 0)
        return -1;
    for (Py_ssize_t index = 0; index < count; index++)
        copy[index] = ((const float *)view.buf)[index];
    PyBuffer_Release(&view);
    return 0;
}

static void free_chain(Chain *self)
{
    PyMem_Free(self->between);
    PyMem_Free(self->transit);
    self->between = NULL;
    self->transit = NULL;
}

static int allocate_chain(Chain *self, Py_ssize_t width)
{
    size_t square = (size_t)(width * width);
    free_chain(self);
    self->width = width;
    self->between = PyMem_Malloc((3 * square + 2 * (size_t)width) * sizeof(float));
    self->transit = PyMem_Malloc((2 * square + 2 * (size_t)width) * sizeof(double));
    if (self->between == NULL || self->transit == NULL) {
        free_chain(self);
        PyErr_NoMemory();
        return -1;
    }
    self->onward = self->between + square;
    self->leads = self->onward + square;
    self->start = self->leads + square;
    self->end = self->start + width;
    self->return_transit = self->transit + square;
    self->first = self->return_transit + square;
    self->last = self->first + width;
    return 0;
}

static int Chain_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"between", "start", "end", "leads", "transit", "first",
                            "last", "enter", "leave", "stay", NULL};
    Chain *self = (Chain *)object;
    PyObject *between, *start, *end, *leads, *transit, *first, *last;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OOOOOOOddd", names, &between, &start,
                                     &end, &leads, &transit, &first, &last, &self->enter,
                                     &self->leave, &self->stay))
        return -1;
    Py_ssize_t width = PyObject_Length(start);
    if (width < 2 || WIDEST <= width) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a chain has too few tags or too many");
        return -1;
    }
    if (allocate_chain(self, width) < 0)
        return -1;
    if (copy_floats(between, self->between, width * width) < 0 ||
        copy_floats(start, self->start, width) < 0 || copy_floats(end, self->end, width) < 0 ||
        copy_floats(leads, self->leads, width * width) < 0 ||
        copy_doubles(transit, self->transit, width * width) < 0 ||
        copy_doubles(first, self->first, width) < 0 || copy_doubles(last, self->last, width) < 0) {
        free_chain(self);
        return -1;
    }
    for (Py_ssize_t tag = 0; tag < width; tag++)
        for (Py_ssize_t next = 0; next < width; next++) {
            self->onward[next * width + tag] = self->between[tag * width + next];
            self->return_transit[next * width + tag] = self->transit[tag * width + next];
        }
    return 0;
}

static void Chain_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    free_chain((Chain *)object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* ---- Streams -------------------------------------------------------------------------------- */

/* How long runs are cut; see _LONGEST_RUN, _PIECE and _OVERLAP of chain.py. */
typedef struct {
    Py_ssize_t longest, piece, overlap;
} Cutting;

/* The arrays of a stream, each with one item or one row per token. */
typedef struct {
    Py_buffer views[5];
    int count;
    Py_ssize_t size;
    const float *scores;
    const unsigned char *breaks;
} Arrays;

static void *get_array(Arrays *arrays, PyObject *object, Py_ssize_t item_size, Py_ssize_t columns,
                       int writable)
{
    Py_buffer *view = &arrays->views[arrays->count];
    if (veil_get_buffer(object, view, item_size, writable) < 0)
        return NULL;
    arrays->count++;
    if (view->len != arrays->size * columns * item_size) {
        PyErr_SetString(PyExc_ValueError, "the arrays of a stream are of different sizes");
        return NULL;
    }
    return view->buf;
}

static void release_arrays(Arrays *arrays)
{
    while (0 < arrays->count)
        PyBuffer_Release(&arrays->views[--arrays->count]);
}

static int get_arrays(const Chain *chain, Arrays *arrays, PyObject *scores, PyObject *breaks,
                      const Cutting *cutting)
{
    if (chain->between == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the object was not initialised");
        return -1;
    }
    if ((arrays->size = PyObject_Length(breaks)) < 0)
        return -1;
    if (arrays->size < 1) {
        PyErr_SetString(PyExc_ValueError, "a stream begins and ends with a break");
        return -1;
    }
    if ((arrays->scores = get_array(arrays, scores, sizeof(float), chain->width, 0)) == NULL ||
        (arrays->breaks = get_array(arrays, breaks, 1, 1, 0)) == NULL)
        return -1;
    if (!arrays->breaks[0] || !arrays->breaks[arrays->size - 1]) {
        PyErr_SetString(PyExc_ValueError, "a stream begins and ends with a break");
        return -1;
    }
    if (cutting->longest < 1 || cutting->piece < 1 || cutting->overlap < 0) {
        PyErr_SetString(PyExc_ValueError, "runs are cut into pieces of at least one token");
        return -1;
    }
    return 0;
}

/* ---- Open tokens ---------------------------------------------------------------------------- */

static float highest_of(const float *row, Py_ssize_t width)
{
    float lanes[LANES], highest = row[0];
    Py_ssize_t at = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes[lane] = row[0];
    for (; at + LANES <= width; at += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] = lanes[lane] < row[at + lane] ? row[at + lane] : lanes[lane];
    for (; at < width; at++)
        highest = highest < row[at] ? row[at] : highest;
    for (int lane = 0; lane < LANES; lane++)
        highest = highest < lanes[lane] ? lanes[lane] : highest;
    return highest;
}

/* Mark the tokens that may have another tag than O; `room` has two numbers per token. */
static void mark_open(const Chain *chain, const Arrays *arrays, double margin, double *room,
                      unsigned char *open)
{
    Py_ssize_t size = arrays->size, width = chain->width;
    double *gain = room, *reach = room + size;
    double total = 0, lowest = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        const float *row = arrays->scores + at * width;
        gain[at] = NEVER;
        if (!arrays->breaks[at])
            gain[at] = (double)(highest_of(row + 1, width - 1) - row[0]) + chain->stay;
        lowest = total < lowest ? total : lowest;
        total += gain[at];
        reach[at] = total - lowest;
    }
    total = lowest = 0;
    for (Py_ssize_t at = size - 1; 0 <= at; at--) {
        lowest = total < lowest ? total : lowest;
        total += gain[at];
        double through = reach[at] + (total - lowest) - gain[at];
        open[at] = !arrays->breaks[at] &&
                   -margin - ROUNDING < through + chain->enter + chain->leave - chain->stay;
    }
}

/* ---- Runs and their pieces ------------------------------------------------------------------ */

/* A run of tokens or a piece of one; its results count from `begin` to `finish`. */
typedef struct {
    Py_ssize_t start, end, begin, finish;
    int opens, closes;
} Piece;

/* Inputs and work space for a piece. */
typedef struct {
    const Chain *chain;
    const Arrays *arrays;
    void *room;
    Py_ssize_t room_size;
} Work;

static int make_room(Work *work, Py_ssize_t size)
{
    if (size <= work->room_size)
        return 0;
    PyMem_Free(work->room);
    work->room = PyMem_Malloc((size_t)size);
    work->room_size = work->room == NULL ? 0 : size;
    if (work->room == NULL)
        PyErr_NoMemory();
    return work->room == NULL ? -1 : 0;
}

typedef int (*Handle)(Work *work, const Piece *piece, void *context);

static int handle_run(Work *work, Py_ssize_t first, Py_ssize_t end, const Cutting *cutting,
                      Handle handle, void *context)
{
    const unsigned char *breaks = work->arrays->breaks;
    Py_ssize_t step = end - first <= cutting->longest ? end - first : cutting->piece;
    for (Py_ssize_t begin = first; begin < end; begin += step) {
        Py_ssize_t finish = end - begin < step ? end : begin + step;
        Piece piece = {begin, finish, begin, finish, 0, 0};
        piece.start = begin - first < cutting->overlap ? first : begin - cutting->overlap;
        piece.end = end - finish < cutting->overlap ? end : finish + cutting->overlap;
        piece.opens = piece.start == first && breaks[first - 1];
        piece.closes = piece.end == end && breaks[end];
        if (handle(work, &piece, context) < 0)
            return -1;
    }
    return 0;
}

/* Process the runs of open tokens; with `about`, those that contain one of these. A stream begins
 * and ends with a break, which is not open. */
static int handle_runs(Work *work, const unsigned char *open, const unsigned char *about,
                       const Cutting *cutting, Handle handle, void *context)
{
    for (Py_ssize_t first = 1; first < work->arrays->size; first++) {
        if (!open[first])
            continue;
        Py_ssize_t end = first;
        int wanted = about == NULL;
        for (; open[end]; end++)
            wanted |= about != NULL && about[end];
        if (wanted && handle_run(work, first, end, cutting, handle, context) < 0)
            return -1;
        first = end;
    }
    return 0;
}

/* ---- The best tags -------------------------------------------------------------------------- */

/* The first of the highest numbers. */
static Py_ssize_t first_highest(const float *row, Py_ssize_t width)
{
    float highest = highest_of(row, width);
    for (Py_ssize_t at = 0; at < width; at++)
        if (row[at] == highest)
            return at;
    return 0;
}

/* The best score of a path to each tag, without the scores of the token itself. */
static void best_after(const Chain *chain, const float *best, float *reached)
{
    Py_ssize_t width = chain->width, highest = first_highest(best, width);
    const float *leads = chain->leads + highest * width;
    for (Py_ssize_t next = 0; next < width; next++)
        reached[next] = -INFINITY;
    for (Py_ssize_t tag = 0; tag < width; tag++) {
        if (best[tag] < best[highest] - leads[tag])
            continue;
        const float *between = chain->between + tag * width;
        float so_far = best[tag];
        for (Py_ssize_t next = 0; next < width; next++) {
            float path = between[next] + so_far;
            reached[next] = reached[next] < path ? path : reached[next];
        }
    }
}

static int search_piece(Work *work, const Piece *piece, void *context)
{
    const Chain *chain = work->chain;
    Py_ssize_t width = chain->width, length = piece->end - piece->start;
    int16_t *tags = context;
    if (make_room(work, (length + 1) * width * (Py_ssize_t)sizeof(float)) < 0)
        return -1;
    float *best = work->room, *sums = best + length * width;
    const float *scores = work->arrays->scores + piece->start * width;
    const float *before = piece->opens ? chain->start : chain->between;
    for (Py_ssize_t tag = 0; tag < width; tag++)
        best[tag] = scores[tag] + before[tag];
    for (Py_ssize_t step = 1; step < length; step++) {
        float *reached = best + step * width;
        best_after(chain, reached - width, reached);
        for (Py_ssize_t tag = 0; tag < width; tag++)
            reached[tag] += scores[step * width + tag];
    }
    const float *onward = piece->closes ? chain->end : chain->onward;
    for (Py_ssize_t step = length - 1; 0 <= step; step--) {
        for (Py_ssize_t tag = 0; tag < width; tag++)
            sums[tag] = best[step * width + tag] + onward[tag];
        Py_ssize_t chosen = first_highest(sums, width);
        onward = chain->onward + chosen * width;
        if (piece->begin <= piece->start + step && piece->start + step < piece->finish)
            tags[piece->start + step] = (int16_t)chosen;
    }
    return 0;
}

static PyObject *Chain_best_tags(PyObject *object, PyObject *arguments)
{
    Chain *self = (Chain *)object;
    PyObject *scores, *breaks, *about, *tags;
    Cutting cutting;
    if (!PyArg_ParseTuple(arguments, "OOOO(nnn)", &scores, &breaks, &about, &tags,
                          &cutting.longest, &cutting.piece, &cutting.overlap))
        return NULL;
    Arrays arrays = {.count = 0};
    Work work = {self, &arrays, NULL, 0};
    unsigned char *open = NULL;
    const unsigned char *wanted = NULL;
    int16_t *found;
    int failed = 1;
    if (get_arrays(self, &arrays, scores, breaks, &cutting) < 0 ||
        (found = get_array(&arrays, tags, sizeof(int16_t), 1, 1)) == NULL ||
        (about != Py_None && (wanted = get_array(&arrays, about, 1, 1, 0)) == NULL))
        goto done;
    memset(found, 0, (size_t)arrays.size * sizeof *found);
    if ((open = PyMem_Malloc((size_t)arrays.size)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (make_room(&work, 2 * arrays.size * (Py_ssize_t)sizeof(double)) < 0)
        goto done;
    mark_open(self, &arrays, 0.0, work.room, open);
    failed = handle_runs(&work, open, wanted, &cutting, search_piece, found) < 0;
done:
    PyMem_Free(open);
    PyMem_Free(work.room);
    release_arrays(&arrays);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- Probabilities of tags ------------------------------------------------------------------ */

/* Without tags, the result is the probability of O; with `outside`, also where the tag is O. */
typedef struct {
    const int16_t *tags;
    double *probabilities, *outside;
    double slope, intercept;
} Chances;

static double calibrated(const Chances *chances, double probability)
{
    double clipped = probability < CLIPPED ? CLIPPED : probability;
    clipped = 1 - CLIPPED < clipped ? 1 - CLIPPED : clipped;
    double odds = log(clipped / (1 - clipped)) * chances->slope + chances->intercept;
    return 0 <= odds ? 1 / (1 + exp(-odds)) : exp(odds) / (1 + exp(odds));
}

/* The sum of the rows of a table, each times its weight; four at once, to write the sum less often. */
static void weighted_sum(const double *restrict weights, const double *restrict table,
                         Py_ssize_t width, double *restrict sum)
{
    Py_ssize_t tag = 0;
    memset(sum, 0, (size_t)width * sizeof *sum);
    for (; tag + 4 <= width; tag += 4) {
        const double *row = table + tag * width, *one = row + width, *two = one + width,
                     *three = two + width;
        double w0 = weights[tag], w1 = weights[tag + 1], w2 = weights[tag + 2],
               w3 = weights[tag + 3];
        for (Py_ssize_t other = 0; other < width; other++)
            sum[other] += (w0 * row[other] + w1 * one[other]) + (w2 * two[other] + w3 * three[other]);
    }
    for (; tag < width; tag++)
        for (Py_ssize_t other = 0; other < width; other++)
            sum[other] += weights[tag] * table[tag * width + other];
}

/* Forward and backward over a piece: Rabiner's scaled version. */
static int weigh_piece(Work *work, const Piece *piece, void *context)
{
    const Chain *chain = work->chain;
    const Chances *chances = context;
    Py_ssize_t width = chain->width, length = piece->end - piece->start;
    if (make_room(work, ((2 * length + 2) * width + length) * (Py_ssize_t)sizeof(double)) < 0)
        return -1;
    double *weights = work->room, *forward = weights + length * width;
    double *backward = forward + length * width, *ahead = backward + width, *scale = ahead + width;
    const float *row = work->arrays->scores + piece->start * width;
    for (Py_ssize_t step = 0; step < length; step++, row += width) {
        double *own = weights + step * width, *reached = forward + step * width;
        double highest = highest_of(row, width);
        if (step == 0)
            memcpy(reached, piece->opens ? chain->first : chain->transit,
                   (size_t)width * sizeof *reached);
        else
            weighted_sum(reached - width, chain->transit, width, reached);
        double sum = 0;
        for (Py_ssize_t tag = 0; tag < width; tag++) {
            double lead = row[tag] - highest;
            own[tag] = exp(lead < LOWEST ? LOWEST : lead);
            reached[tag] *= own[tag];
            sum += reached[tag];
        }
        scale[step] = sum;
        double share = 1 / sum;
        for (Py_ssize_t tag = 0; tag < width; tag++)
            reached[tag] *= share;
    }
    memcpy(backward, piece->closes ? chain->last : chain->return_transit,
           (size_t)width * sizeof *backward);
    for (Py_ssize_t step = length - 1; 0 <= step; step--) {
        const double *here = forward + step * width;
        if (step == length - 1) {
            double total = 0;
            for (Py_ssize_t tag = 0; tag < width; tag++)
                total += here[tag] * backward[tag];
            for (Py_ssize_t tag = 0; tag < width; tag++)
                backward[tag] /= total;
        } else {
            const double *next = weights + (step + 1) * width;
            double share = 1 / scale[step + 1];
            for (Py_ssize_t tag = 0; tag < width; tag++)
                ahead[tag] = next[tag] * backward[tag] * share;
            weighted_sum(ahead, chain->return_transit, width, backward);
        }
        Py_ssize_t at = piece->start + step;
        if (at < piece->begin || piece->finish <= at)
            continue;
        if (chances->tags == NULL) {
            chances->probabilities[at] = here[0] * backward[0];
        } else if (0 < chances->tags[at]) {
            Py_ssize_t tag = chances->tags[at];
            chances->probabilities[at] = calibrated(chances, here[tag] * backward[tag]);
        } else if (chances->outside != NULL) {
            chances->outside[at] = here[0] * backward[0];
        }
    }
    return 0;
}

static PyObject *Chain_probabilities(PyObject *object, PyObject *arguments)
{
    Chain *self = (Chain *)object;
    PyObject *scores, *breaks, *tags, *probabilities, *outside;
    double margin;
    Cutting cutting;
    Chances chances;
    if (!PyArg_ParseTuple(arguments, "OOOd(dd)OO(nnn)", &scores, &breaks, &tags, &margin,
                          &chances.slope, &chances.intercept, &probabilities, &outside,
                          &cutting.longest, &cutting.piece, &cutting.overlap))
        return NULL;
    Arrays arrays = {.count = 0};
    Work work = {self, &arrays, NULL, 0};
    unsigned char *open = NULL, *tagged = NULL;
    int failed = 1;
    chances.tags = NULL;
    chances.outside = NULL;
    if (get_arrays(self, &arrays, scores, breaks, &cutting) < 0 ||
        (tags != Py_None &&
         (chances.tags = get_array(&arrays, tags, sizeof(int16_t), 1, 0)) == NULL) ||
        (chances.probabilities = get_array(&arrays, probabilities, sizeof(double), 1, 1)) == NULL ||
        (outside != Py_None &&
         (chances.outside = get_array(&arrays, outside, sizeof(double), 1, 1)) == NULL))
        goto done;
    if ((open = PyMem_Malloc(2 * (size_t)arrays.size)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (make_room(&work, 2 * arrays.size * (Py_ssize_t)sizeof(double)) < 0)
        goto done;
    mark_open(self, &arrays, margin, work.room, open);
    tagged = chances.tags == NULL ? NULL : open + arrays.size;
    for (Py_ssize_t at = 0; tagged != NULL && at < arrays.size; at++) {
        tagged[at] = chances.tags[at] != 0;
        open[at] |= tagged[at];
        if (chances.tags[at] < 0 || self->width <= chances.tags[at] ||
            (tagged[at] && arrays.breaks[at])) {
            PyErr_SetString(PyExc_ValueError, "a tag is none of the chain, or that of a break");
            goto done;
        }
    }
    failed = handle_runs(&work, open, chances.outside == NULL ? tagged : NULL, &cutting, weigh_piece,
                         &chances) < 0;
done:
    PyMem_Free(open);
    PyMem_Free(work.room);
    release_arrays(&arrays);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- Spans ---------------------------------------------------------------------------------- */

static int append_span(PyObject *spans, const int32_t *doc, const int32_t *start,
                       const int32_t *end, Py_ssize_t first, Py_ssize_t last, int label,
                       const double *probabilities)
{
    double least = probabilities == NULL ? 1 : probabilities[first];
    for (Py_ssize_t at = first; probabilities != NULL && at <= last; at++)
        least = probabilities[at] < least ? probabilities[at] : least;
    PyObject *span = Py_BuildValue("iiiid", doc[first], start[first], end[last], label, least);
    int failed = span == NULL || PyList_Append(spans, span) < 0;
    Py_XDECREF(span);
    return failed ? -1 : 0;
}

static PyObject *tagged_spans(PyObject *module, PyObject *arguments)
{
    PyObject *objects[4], *given, *spans = NULL;
    Py_buffer views[5];
    int count = 0, failed = 1;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &objects[0], &objects[1], &objects[2], &objects[3],
                          &given))
        return NULL;
    for (; count < 4; count++)
        if (veil_get_buffer(objects[count], &views[count], count ? 4 : 2, 0) < 0)
            goto done;
    if (given != Py_None) {
        if (veil_get_buffer(given, &views[4], sizeof(double), 0) < 0)
            goto done;
        count = 5;
    }
    Py_ssize_t size = views[0].len / 2;
    for (int index = 1; index < count; index++)
        if (views[index].len != size * views[index].itemsize) {
            PyErr_SetString(PyExc_ValueError, "the arrays of a stream are of different sizes");
            goto done;
        }
    const int16_t *tags = views[0].buf;
    const int32_t *doc = views[1].buf, *start = views[2].buf, *end = views[3].buf;
    const double *probabilities = count == 5 ? views[4].buf : NULL;
    if ((spans = PyList_New(0)) == NULL)
        goto done;
    for (Py_ssize_t first = 0; first < size; first++) {
        if (tags[first] <= 0)
            continue;
        /* B- of a label has an odd number and I- the next one. */
        int inside = tags[first] + tags[first] % 2;
        Py_ssize_t last = first;
        while (last + 1 < size && tags[last + 1] == inside)
            last++;
        if (append_span(spans, doc, start, end, first, last, inside / 2 - 1, probabilities) < 0)
            goto done;
        first = last;
    }
    failed = 0;
done:
    while (0 < count)
        PyBuffer_Release(&views[--count]);
    if (failed)
        Py_CLEAR(spans);
    return spans;
}

/* ---- The module ----------------------------------------------------------------------------- */

static PyMethodDef Chain_methods[] = {
    {"best_tags", Chain_best_tags, METH_VARARGS,
     "Write the best tags of a stream; with `about`, of the runs that hold one of these tokens."},
    {"probabilities", Chain_probabilities, METH_VARARGS,
     "Write the calibrated probabilities of the tags of a stream that are not O, and those of O\n"
     "for the other tokens, if they are asked for; without tags, the probabilities of O."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot Chain_slots[] = {
    {Py_tp_doc, "Scores of a tag after another, of a first tag and of a last one."},
    {Py_tp_init, (void *)Chain_init},
    {Py_tp_dealloc, (void *)Chain_dealloc},
    {Py_tp_methods, Chain_methods},
    {0, NULL},
};

static PyType_Spec Chain_spec = {
    .name = "veil._native.Chain",
    .basicsize = sizeof(Chain),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = Chain_slots,
};

static PyMethodDef methods[] = {
    {"tagged_spans", tagged_spans, METH_VARARGS,
     "Return document, start, end, label and least probability of each span of tags."},
    {NULL, NULL, 0, NULL},
};

int veil_add_chain(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &Chain_spec, NULL);
    int failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0 ||
                 PyModule_AddFunctions(module, methods) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
