/* Features of a token's position, and the ids of their values.
 *
 * The twins of this part are veil/features/positions.py, which defines the features, and
 * `FeatureSpace.position_ids` of veil/features/space.py.
 */
#include "native.h"
#include <string.h>

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* The names by number. */
enum {
    BIAS, LINE_KEY, PREVIOUS_LINE_KEY, NEXT_LINE_KEY, LINE_START, LINE_FROM_TOP, LINE_FROM_BOTTOM,
    LINE_LENGTH, POSITION, POSITION_FROM_END, LINE_KEY_AND_POSITION, FIELD, FIELD_AND_DISTANCE,
    WORD_PAIR, SHAPE_PAIR, SHAPE_TRIPLE, SPACED_SHAPE, ROLE_BEFORE, ROLE_AFTER, ROLE_WORD_BEFORE,
    ROLE_WORD_AFTER, ROLES_ELSEWHERE, GIVEN,
};
static const char *const NAMES[] = {
    "bias", "line-key", "previous-line-key", "next-line-key", "line-start", "line-from-top",
    "line-from-bottom", "line-length", "position", "position-from-end", "line-key-and-position",
    "field", "field-and-distance", "word-pair", "shape-pair", "shape-triple", "spaced-shape",
    "role-before", "role-after", "role-word-before", "role-word-after", "roles-elsewhere",
};

/* As in positions.py. */
enum { NONE = -1, OTHER_DOCUMENT = -2, LONGEST_KEY = 3, LATEST_COLON = 7, POSITIONS = 16 };
enum { WIDTH = 1 << 19, SHAPE_WIDTH = 1 << 15 };
enum { FIRST_VALUE = 2, FARTHEST_ROLE = 12, BESIDE = 3, MOST_ROLES = 62 };

static inline int64_t join(int64_t left, int64_t width, int64_t right)
{
    return (int64_t)((uint64_t)left * (uint64_t)width + (uint64_t)right);
}

/* ---- Looking values up ---------------------------------------------------------------------- */

/* Keys that are close together have a table of ids, others a hash table. */
enum { CLOSE = 1 << 13, AHEAD = 8 };

typedef struct {
    int kind;
    int64_t *keys;
    Py_ssize_t count;
    int32_t *ids; /* by key less the lowest key, or by hash; 0: none */
    int64_t lowest;
    uint64_t span; /* how many ids there are if keys are close, or 0 */
    int shift; /* from 64 bits to those of a hash */
} Feature;

static inline size_t hash_of(const Feature *feature, int64_t value)
{
    return (size_t)(((uint64_t)value * 0x9E3779B97F4A7C15u) >> feature->shift);
}

static int build_close(Feature *feature)
{
    feature->ids = PyMem_Calloc((size_t)feature->span, sizeof *feature->ids);
    if (feature->ids == NULL)
        return -1;
    for (Py_ssize_t index = 0; index < feature->count; index++)
        feature->ids[feature->keys[index] - feature->lowest] = (int32_t)index + 1;
    return 0;
}

static int build_hashes(Feature *feature)
{
    int bits = 1;
    while ((Py_ssize_t)1 << bits < 2 * feature->count)
        bits++;
    feature->shift = 64 - bits;
    size_t mask = ((size_t)1 << bits) - 1;
    feature->ids = PyMem_Calloc(mask + 1, sizeof *feature->ids);
    if (feature->ids == NULL)
        return -1;
    for (Py_ssize_t index = 0; index < feature->count; index++) {
        size_t at = hash_of(feature, feature->keys[index]);
        while (feature->ids[at] != 0)
            at = (at + 1) & mask;
        feature->ids[at] = (int32_t)index + 1;
    }
    return 0;
}

/* Copy sorted keys and make the table of their ids. */
static int get_keys(Feature *feature, PyObject *object)
{
    Py_buffer view;
    if (veil_get_buffer(object, &view, sizeof(int64_t), 0) < 0)
        return -1;
    feature->count = view.len / (Py_ssize_t)sizeof(int64_t);
    feature->keys = PyMem_Malloc((size_t)view.len + 1);
    if (feature->keys != NULL)
        memcpy(feature->keys, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (feature->keys == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t index = 1; index < feature->count; index++)
        if (feature->keys[index] <= feature->keys[index - 1] || INT32_MAX / 4 < feature->count) {
            PyErr_SetString(PyExc_ValueError, "the keys of a feature are not sorted");
            return -1;
        }
    if (feature->count == 0)
        return 0;
    feature->lowest = feature->keys[0];
    uint64_t reach = (uint64_t)feature->keys[feature->count - 1] - (uint64_t)feature->lowest;
    feature->span = reach < CLOSE ? reach + 1 : 0;
    if ((feature->span ? build_close(feature) : build_hashes(feature)) == 0)
        return 0;
    PyErr_NoMemory();
    return -1;
}

/* The ids of values: their indexes among the keys, from 1; 0 for other values. */
static void look_up(const Feature *feature, const int64_t *values, Py_ssize_t size, int32_t *ids)
{
    if (feature->count == 0) {
        memset(ids, 0, (size_t)size * sizeof *ids);
        return;
    }
    if (feature->span) {
        for (Py_ssize_t at = 0; at < size; at++) {
            uint64_t index = (uint64_t)values[at] - (uint64_t)feature->lowest;
            ids[at] = index < feature->span ? feature->ids[index] : 0;
        }
        return;
    }
    size_t mask = ((size_t)1 << (64 - feature->shift)) - 1;
    for (Py_ssize_t at = 0; at < size; at++) {
        if (at + 2 * AHEAD < size)
            PREFETCH(feature->ids + hash_of(feature, values[at + 2 * AHEAD]));
        if (at + AHEAD < size)
            PREFETCH(feature->keys + feature->ids[hash_of(feature, values[at + AHEAD])] - 1);
        if (0 < at && values[at] == values[at - 1]) {
            ids[at] = ids[at - 1];
            continue;
        }
        size_t slot = hash_of(feature, values[at]);
        int32_t id = feature->ids[slot];
        while (id != 0 && feature->keys[id - 1] != values[at]) {
            slot = (slot + 1) & mask;
            id = feature->ids[slot];
        }
        ids[at] = id;
    }
}

/* ---- Streams -------------------------------------------------------------------------------- */

enum { FORM, START, END, DOC, LINE, FIRST, LAST, VALUES, WORD_OF, CODES, CASES, ARRAYS };

/* The columns of form features that features of positions read, -1 for one that none reads, and the
 * value of words that have no role. */
typedef struct {
    Py_ssize_t count, word, shape, role, no_role;
} Columns;

typedef struct {
    Py_buffer views[ARRAYS];
    int view_count;
    Py_ssize_t size, lines;
    const int32_t *form, *start, *end, *doc, *line, *first, *last, *word_of;
    const unsigned char *codes, *cases;
    /* Of each token: the id of its word, its shape with or without a blank after it, the last colon
     * before it or -1, its role or -1, the nearest tokens with a role before and after it in its
     * document or -1, and whether it is a colon. Of each line: its key. */
    int32_t *words, *shapes, *colons, *roles, *role_before, *role_after;
    unsigned char *is_colon;
    int64_t *line_keys;
    int64_t *room; /* for the values of a feature */
} Stream;

static void release_stream(Stream *stream)
{
    while (0 < stream->view_count)
        PyBuffer_Release(&stream->views[--stream->view_count]);
    PyMem_Free(stream->room);
}

static int raise_misfit(void)
{
    PyErr_SetString(PyExc_ValueError, "the arrays of a stream do not fit each other");
    return -1;
}

static int get_views(Stream *stream, PyObject *arrays)
{
    if (!PyTuple_Check(arrays) || PyTuple_Size(arrays) != ARRAYS)
        return raise_misfit();
    for (; stream->view_count < ARRAYS; stream->view_count++)
        if (veil_get_buffer(PyTuple_GetItem(arrays, stream->view_count),
                            &stream->views[stream->view_count],
                            CODES <= stream->view_count ? 1 : 4, 0) < 0)
            return -1;
    stream->size = stream->views[FORM].len / 4;
    stream->lines = stream->views[FIRST].len / 4;
    for (int index = START; index <= LINE; index++)
        if (stream->views[index].len != stream->views[FORM].len)
            return raise_misfit();
    if (stream->views[LAST].len != stream->views[FIRST].len ||
        stream->views[WORD_OF].len / 4 != stream->views[CODES].len ||
        stream->views[CASES].len != stream->views[CODES].len)
        return raise_misfit();
    stream->form = stream->views[FORM].buf;
    stream->start = stream->views[START].buf;
    stream->end = stream->views[END].buf;
    stream->doc = stream->views[DOC].buf;
    stream->line = stream->views[LINE].buf;
    stream->first = stream->views[FIRST].buf;
    stream->last = stream->views[LAST].buf;
    stream->word_of = stream->views[WORD_OF].buf;
    stream->codes = stream->views[CODES].buf;
    stream->cases = stream->views[CASES].buf;
    return 0;
}

/* Whether forms are in the table, lines among the lines, and the ends of lines among the tokens. */
static int are_in_range(const Stream *stream, Py_ssize_t forms)
{
    for (Py_ssize_t at = 0; at < stream->size; at++)
        if (stream->form[at] < 0 || forms <= stream->form[at] || stream->line[at] < 0 ||
            stream->lines <= stream->line[at])
            return 0;
    for (Py_ssize_t line = 0; line < stream->lines; line++)
        if (stream->first[line] < 0 || stream->last[line] < stream->first[line] ||
            stream->size <= stream->last[line])
            return 0;
    return 1;
}

static int make_room(Stream *stream)
{
    size_t size = (size_t)stream->size + 1, lines = (size_t)stream->lines + 1;
    size_t most = size < lines ? lines : size;
    stream->room = PyMem_Malloc((most + lines) * sizeof(int64_t) + 6 * size * sizeof(int32_t) +
                                size);
    if (stream->room == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    stream->line_keys = stream->room + most;
    stream->words = (int32_t *)(stream->line_keys + lines);
    stream->shapes = stream->words + size;
    stream->colons = stream->shapes + size;
    stream->roles = stream->colons + size;
    stream->role_before = stream->roles + size;
    stream->role_after = stream->role_before + size;
    stream->is_colon = (unsigned char *)(stream->role_after + size);
    return 0;
}

/* Up to three words before the first colon of a line. */
static int64_t key_of_line(const Stream *stream, Py_ssize_t line)
{
    Py_ssize_t first = stream->first[line], length = 0;
    int64_t key = 0;
    while (length < LATEST_COLON && first + length < stream->last[line] &&
           !stream->is_colon[first + length])
        length++;
    if (length == 0 || length == LATEST_COLON || stream->last[line] <= first + length)
        return NONE;
    for (Py_ssize_t index = 0; index < LONGEST_KEY && index < length; index++)
        key = join(key, WIDTH, stream->words[first + index]);
    return key;
}

/* Find the roles of tokens, and the nearest ones around each. */
static void prepare_roles(Stream *stream, const Columns *columns)
{
    const int32_t *values = stream->views[VALUES].buf;
    int32_t near = NONE;
    for (Py_ssize_t at = 0; at < stream->size; at++) {
        int32_t role = values[stream->form[at] * columns->count + columns->role];
        if (0 < at && stream->doc[at] != stream->doc[at - 1])
            near = NONE;
        stream->role_before[at] = near;
        stream->roles[at] = FIRST_VALUE <= role && role != columns->no_role ? role : NONE;
        if (stream->roles[at] != NONE)
            near = (int32_t)at;
    }
    near = NONE;
    for (Py_ssize_t at = stream->size - 1; 0 <= at; at--) {
        if (at + 1 < stream->size && stream->doc[at] != stream->doc[at + 1])
            near = NONE;
        stream->role_after[at] = near;
        if (stream->roles[at] != NONE)
            near = (int32_t)at;
    }
}

/* Compute what several features need. */
static void prepare(Stream *stream, const Columns *columns)
{
    const int32_t *values = stream->views[VALUES].buf;
    int32_t colon = NONE;
    for (Py_ssize_t at = 0; at < stream->size; at++) {
        const int32_t *own = values + stream->form[at] * columns->count;
        int is_spaced = at + 1 < stream->size && stream->end[at] < stream->start[at + 1];
        stream->words[at] = columns->word < 0 ? 0 : own[columns->word];
        stream->shapes[at] = columns->shape < 0 ? 0 : 2 * own[columns->shape] + is_spaced;
        stream->is_colon[at] = stream->codes[stream->form[at]] == ':';
        stream->colons[at] = colon;
        if (stream->is_colon[at])
            colon = (int32_t)at;
    }
    for (Py_ssize_t line = 0; line < stream->lines; line++)
        stream->line_keys[line] = key_of_line(stream, line);
    if (0 <= columns->role)
        prepare_roles(stream, columns);
}

static int get_stream(Stream *stream, PyObject *arrays, const Columns *columns)
{
    if (get_views(stream, arrays) < 0)
        return -1;
    Py_ssize_t forms = stream->views[CODES].len;
    Py_ssize_t count = columns->count;
    if (count < 0 || count <= columns->word || count <= columns->shape || count <= columns->role ||
        (0 < count && stream->views[VALUES].len / 4 / count < forms) ||
        !are_in_range(stream, forms))
        return raise_misfit();
    if (make_room(stream) < 0)
        return -1;
    prepare(stream, columns);
    return 0;
}

/* ---- The values of features ----------------------------------------------------------------- */

/* The key of the full line before (step 1) or after (-1) each full line of the same document. */
static void keys_beside(const Stream *stream, int step, int64_t *values)
{
    Py_ssize_t beside = -1, end = 0 < step ? stream->lines : -1;
    for (Py_ssize_t line = 0 < step ? 0 : stream->lines - 1; line != end; line += step) {
        values[line] = OTHER_DOCUMENT;
        if (stream->first[line] == stream->last[line])
            continue;
        if (0 <= beside &&
            stream->doc[stream->first[beside]] == stream->doc[stream->first[line]])
            values[line] = stream->line_keys[beside];
        beside = line;
    }
}

/* The numbers of full lines in their document, from the top (step 1) or the bottom (-1). */
static void line_numbers(const Stream *stream, int step, int64_t most, int64_t *values)
{
    Py_ssize_t end = 0 < step ? stream->lines : -1;
    int64_t number = 0;
    int32_t doc = -1;
    for (Py_ssize_t line = 0 < step ? 0 : stream->lines - 1; line != end; line += step) {
        values[line] = 0;
        if (stream->first[line] == stream->last[line])
            continue;
        int32_t own = stream->doc[stream->first[line]];
        number = own == doc ? number + 1 : 1;
        doc = own;
        values[line] = number < most ? number : most;
    }
}

/* One and a half times the binary logarithm, rounded down: half of that of the cube. */
static int64_t class_of_length(int64_t words, int64_t most)
{
    if ((int64_t)1 << most < words)
        return most;
    uint64_t cube = (uint64_t)words * (uint64_t)words * (uint64_t)words;
    int64_t logarithm = -1;
    for (; cube != 0; cube >>= 1)
        logarithm++;
    return logarithm / 2 < most ? logarithm / 2 : most;
}

static void of_lines(const Stream *stream, int kind, int64_t *values)
{
    if (kind == PREVIOUS_LINE_KEY || kind == NEXT_LINE_KEY) {
        keys_beside(stream, kind == PREVIOUS_LINE_KEY ? 1 : -1, values);
        return;
    }
    if (kind == LINE_FROM_TOP || kind == LINE_FROM_BOTTOM) {
        int is_top = kind == LINE_FROM_TOP;
        line_numbers(stream, is_top ? 1 : -1, is_top ? 41 : 21, values);
        return;
    }
    for (Py_ssize_t line = 0; line < stream->lines; line++) {
        int64_t length = (int64_t)stream->last[line] - stream->first[line] + 1;
        values[line] = kind == LINE_KEY     ? stream->line_keys[line]
                       : kind == LINE_START ? stream->words[stream->first[line]]
                                            : class_of_length(length, 11);
    }
}

/* The two words before the last colon on the line. */
static inline int64_t field_of(const Stream *stream, Py_ssize_t at)
{
    int32_t colon = stream->colons[at], first = stream->first[stream->line[at]];
    if (colon <= first)
        return NONE;
    int64_t two = first < colon - 1 ? stream->words[colon - 2] : 0;
    return join(two, WIDTH, stream->words[colon - 1]);
}

static inline int64_t least(int64_t number, int64_t most)
{
    return number < most ? number : most;
}

/* A role near a token: its value, and the class of its distance. */
static inline int64_t near_value(const int32_t *values, int32_t role, Py_ssize_t at)
{
    Py_ssize_t distance = role < at ? at - role : role - at;
    if (role == NONE || FARTHEST_ROLE < distance)
        return NONE;
    int64_t class_of = (2 <= distance) + (3 <= distance) + (5 <= distance) + (8 <= distance);
    return join(values[role], POSITIONS, class_of);
}

static inline int64_t of_token(const Stream *stream, int kind, Py_ssize_t at)
{
    const int32_t *words = stream->words, *shapes = stream->shapes;
    int64_t position = at - stream->first[stream->line[at]];
    switch (kind) {
    case POSITION:
        return least(position, 13);
    case POSITION_FROM_END:
        return least(stream->last[stream->line[at]] - at, 7);
    case LINE_KEY_AND_POSITION:
        return position < 10 ? join(stream->line_keys[stream->line[at]], POSITIONS, position)
                             : NONE;
    case FIELD:
        return field_of(stream, at);
    case FIELD_AND_DISTANCE:
        return stream->colons[at] <= stream->first[stream->line[at]]
                   ? NONE
                   : join(field_of(stream, at), POSITIONS, least(at - stream->colons[at], 7));
    case WORD_PAIR:
        return 0 < at && 0 < words[at - 1] && 0 < words[at] ? join(words[at - 1], WIDTH, words[at])
                                                             : NONE;
    case SHAPE_PAIR:
        return at == 0 ? 0 : join(shapes[at - 1], SHAPE_WIDTH, shapes[at]);
    case SHAPE_TRIPLE: {
        if (at + 1 == stream->size)
            return 0;
        int64_t pair = at == 0 ? 0 : join(shapes[at - 1], SHAPE_WIDTH, shapes[at]);
        return join(pair, SHAPE_WIDTH, shapes[at + 1]);
    }
    case SPACED_SHAPE:
        return shapes[at];
    case ROLE_BEFORE:
        return near_value(stream->roles, stream->role_before[at], at);
    case ROLE_AFTER:
        return near_value(stream->roles, stream->role_after[at], at);
    case ROLE_WORD_BEFORE:
        return near_value(words, stream->role_before[at], at);
    case ROLE_WORD_AFTER:
        return near_value(words, stream->role_after[at], at);
    default: /* BIAS */
        return 0;
    }
}

#define FILL(KIND)                                                                                 \
    case KIND:                                                                                     \
        for (Py_ssize_t at = 0; at < stream->size; at++)                                           \
            values[at] = of_token(stream, KIND, at);                                               \
        break

static void of_tokens(const Stream *stream, int kind, int64_t *values)
{
    switch (kind) {
        FILL(BIAS);
        FILL(POSITION);
        FILL(POSITION_FROM_END);
        FILL(LINE_KEY_AND_POSITION);
        FILL(FIELD);
        FILL(FIELD_AND_DISTANCE);
        FILL(WORD_PAIR);
        FILL(SHAPE_PAIR);
        FILL(SHAPE_TRIPLE);
        FILL(SPACED_SHAPE);
        FILL(ROLE_BEFORE);
        FILL(ROLE_AFTER);
        FILL(ROLE_WORD_BEFORE);
        FILL(ROLE_WORD_AFTER);
    default:
        break;
    }
}

/* The role of a token as a bit, if it is right beside another one. */
static inline int64_t role_beside(const Stream *stream, int32_t role, Py_ssize_t at)
{
    Py_ssize_t distance = role < at ? at - role : role - at;
    if (role == NONE || BESIDE < distance || MOST_ROLES < stream->roles[role])
        return 0;
    return (int64_t)1 << stream->roles[role];
}

static inline int is_name_like(const Stream *stream, Py_ssize_t at)
{
    unsigned char kind = stream->cases[stream->form[at]];
    return (kind == 'A' || kind == 'C') && stream->roles[at] == NONE;
}

/* The roles beside any mention of a word in its document; `found` has a zero for each word. */
static void roles_elsewhere(const Stream *stream, int64_t *found, int64_t *values)
{
    for (Py_ssize_t first = 0, end; first < stream->size; first = end) {
        for (end = first; end < stream->size && stream->doc[end] == stream->doc[first]; end++)
            if (is_name_like(stream, end))
                found[stream->word_of[stream->form[end]]] |=
                    role_beside(stream, stream->role_before[end], end) |
                    role_beside(stream, stream->role_after[end], end);
        for (Py_ssize_t at = first; at < end; at++)
            values[at] = is_name_like(stream, at) ? found[stream->word_of[stream->form[at]]] : NONE;
        for (Py_ssize_t at = first; at < end; at++)
            found[stream->word_of[stream->form[at]]] = 0;
    }
}

static int is_of_lines(int kind)
{
    return LINE_KEY <= kind && kind <= LINE_LENGTH;
}

/* ---- Positions ------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    Feature *features;
    Py_ssize_t count;
    int64_t *of_words; /* zeros, a number a word, kept from one stream to the next */
    Py_ssize_t words;
} Positions;

static void Positions_release(Positions *self)
{
    for (Py_ssize_t index = 0; index < self->count; index++) {
        PyMem_Free(self->features[index].keys);
        PyMem_Free(self->features[index].ids);
    }
    PyMem_Free(self->features);
    PyMem_Free(self->of_words);
    self->features = NULL;
    self->of_words = NULL;
    self->count = self->words = 0;
}

static int get_feature(Feature *feature, PyObject *item)
{
    const char *name;
    PyObject *keys;
    if (item == NULL || !PyArg_ParseTuple(item, "sO", &name, &keys))
        return -1;
    while (feature->kind < GIVEN && strcmp(NAMES[feature->kind], name) != 0)
        feature->kind++;
    return get_keys(feature, keys);
}

static int Positions_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"features", NULL};
    Positions *self = (Positions *)object;
    PyObject *list;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &list))
        return -1;
    Py_ssize_t count = PyList_Size(list);
    if (count < 0)
        return -1;
    Positions_release(self);
    self->features = PyMem_Calloc((size_t)count + 1, sizeof *self->features);
    if (self->features == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (; self->count < count; self->count++)
        if (get_feature(&self->features[self->count], PyList_GetItem(list, self->count)) < 0) {
            self->count++; /* so that a partly filled last one is released too */
            Positions_release(self);
            return -1;
        }
    return 0;
}

static void Positions_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Positions_release((Positions *)object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* Allocate a zero for each word of a stream; raise an error if a word is out of range. */
static int have_words(Positions *self, const Stream *stream, Py_ssize_t words)
{
    for (Py_ssize_t at = 0; at < stream->size; at++) {
        int32_t word = stream->word_of[stream->form[at]];
        if (word < 0 || words <= word)
            return raise_misfit();
    }
    if (words <= self->words)
        return 0;
    PyMem_Free(self->of_words);
    self->words = 0;
    self->of_words = PyMem_Calloc(2 * (size_t)words, sizeof *self->of_words);
    if (self->of_words == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->words = 2 * words;
    return 0;
}

/* Write the ids of one feature; its values are `given` if they are not computed here. */
static int write_ids(const Feature *feature, const Stream *stream, int64_t *of_words,
                     PyObject *given, PyObject *out)
{
    Py_buffer ids, values;
    if (veil_get_buffer(out, &ids, sizeof(int32_t), 1) < 0)
        return -1;
    int failed = 0;
    if (feature->kind == GIVEN) {
        failed = veil_get_buffer(given, &values, sizeof(int64_t), 0) < 0;
        if (!failed) {
            if (values.len == 2 * ids.len)
                look_up(feature, values.buf, ids.len / 4, ids.buf);
            else
                failed = raise_misfit();
            PyBuffer_Release(&values);
        }
    } else {
        Py_ssize_t size = is_of_lines(feature->kind) ? stream->lines : stream->size;
        if (ids.len / 4 != size) {
            failed = raise_misfit();
        } else {
            if (feature->kind == ROLES_ELSEWHERE)
                roles_elsewhere(stream, of_words, stream->room);
            else
                (is_of_lines(feature->kind) ? of_lines : of_tokens)(stream, feature->kind,
                                                                    stream->room);
            look_up(feature, stream->room, size, ids.buf);
        }
    }
    PyBuffer_Release(&ids);
    return failed ? -1 : 0;
}

static PyObject *Positions_write_ids(PyObject *object, PyObject *arguments)
{
    Positions *self = (Positions *)object;
    PyObject *arrays, *given, *ids;
    Columns columns;
    Py_ssize_t words;
    if (!PyArg_ParseTuple(arguments, "O(nnnnn)nOO", &arrays, &columns.count, &columns.word,
                          &columns.shape, &columns.role, &columns.no_role, &words, &given, &ids))
        return NULL;
    if (!PyList_Check(given) || !PyList_Check(ids) || PyList_Size(given) != self->count ||
        PyList_Size(ids) != self->count) {
        raise_misfit();
        return NULL;
    }
    Stream stream = {.view_count = 0};
    int failed = get_stream(&stream, arrays, &columns) < 0 ||
                 (0 <= columns.role && have_words(self, &stream, words) < 0);
    for (Py_ssize_t index = 0; !failed && index < self->count; index++)
        failed = write_ids(&self->features[index], &stream, self->of_words,
                           PyList_GetItem(given, index), PyList_GetItem(ids, index)) < 0;
    release_stream(&stream);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- Other uses of a word in its document --------------------------------------------------- */

/* As in positions.py. */
enum { SEEN_SMALL = 1, SEEN_AS_NAME = 2, SEEN_IN_MAIL = 4, SHORTEST_NAME = 3, TITLES_BEFORE = 3 };

enum { M_FORM, M_START, M_END, M_DOC, M_LINE, M_FIRST, M_CODES, M_CASES, M_WORDS, M_FIELDS, M_MAIL,
       M_VALUES, M_ARRAYS };

typedef struct {
    Py_buffer views[M_ARRAYS];
    int view_count;
    Py_ssize_t size, mails;
    const int32_t *form, *start, *end, *doc, *line, *first, *word_of, *mail;
    const unsigned char *codes, *cases;
    unsigned char *seen, *is_field; /* by word */
} Memory;

static inline int is_capital(const Memory *memory, Py_ssize_t at)
{
    unsigned char kind = memory->cases[memory->form[at]];
    return kind == 'A' || kind == 'C';
}

static inline int is_small(const Memory *memory, Py_ssize_t at)
{
    return memory->cases[memory->form[at]] == 'a';
}

static inline int is_title(const Memory *memory, Py_ssize_t at)
{
    return memory->codes[memory->form[at]] == 'D';
}

static inline Py_ssize_t word_at(const Memory *memory, Py_ssize_t at)
{
    return memory->word_of[memory->form[at]];
}

static int follows_title(const Memory *memory, Py_ssize_t at)
{
    for (Py_ssize_t before = 1; before <= TITLES_BEFORE && before <= at; before++)
        if (is_title(memory, at - before))
            return 1;
    return 0;
}

/* Write the values of one document, whose tokens are first to end; `colon` is the last one before
 * it, or -1. */
static void remember_document(const Memory *memory, Py_ssize_t first, Py_ssize_t end,
                              Py_ssize_t *colon, Py_ssize_t *mail, int64_t *values)
{
    for (Py_ssize_t at = first; at < end; at++) {
        unsigned char *seen = &memory->seen[word_at(memory, at)];
        if (is_small(memory, at))
            *seen |= SEEN_SMALL;
        else if (is_capital(memory, at) && SHORTEST_NAME <= memory->end[at] - memory->start[at] &&
                 !is_title(memory, at) &&
                 (follows_title(memory, at) ||
                  (memory->first[memory->line[at]] < *colon &&
                   memory->is_field[word_at(memory, *colon - 1)])))
            *seen |= SEEN_AS_NAME;
        if (memory->codes[memory->form[at]] == ':')
            *colon = at;
    }
    for (; *mail < memory->mails && memory->mail[2 * *mail] == memory->doc[first]; (*mail)++)
        memory->seen[memory->mail[2 * *mail + 1]] |= SEEN_IN_MAIL;
    for (Py_ssize_t at = first; at < end; at++) {
        unsigned char seen = memory->seen[word_at(memory, at)];
        values[at] = is_capital(memory, at) ? seen
                     : is_small(memory, at) ? seen & SEEN_AS_NAME
                                            : 0;
    }
    for (Py_ssize_t at = first; at < end; at++)
        memory->seen[word_at(memory, at)] = 0;
}

/* Whether all numbers point into their tables. */
static int fits(const Memory *memory, Py_ssize_t words)
{
    const Py_buffer *views = memory->views;
    Py_ssize_t forms = views[M_CODES].len, lines = views[M_FIRST].len / 4;
    for (int index = M_START; index <= M_LINE; index++)
        if (views[index].len != views[M_FORM].len)
            return 0;
    if (views[M_CASES].len != forms || views[M_WORDS].len / 4 != forms ||
        views[M_MAIL].len % 8 != 0 || views[M_VALUES].len / 8 != memory->size)
        return 0;
    for (Py_ssize_t at = 0; at < memory->size; at++)
        if (memory->form[at] < 0 || forms <= memory->form[at] || word_at(memory, at) < 0 ||
            words <= word_at(memory, at) || memory->line[at] < 0 || lines <= memory->line[at])
            return 0;
    for (Py_ssize_t line = 0; line < lines; line++)
        if (memory->first[line] < 0)
            return 0;
    for (Py_ssize_t index = 0; index < memory->mails; index++)
        if (memory->mail[2 * index + 1] < 0 || words <= memory->mail[2 * index + 1])
            return 0;
    return 1;
}

static int get_memory(Memory *memory, PyObject *arrays, Py_ssize_t words)
{
    static const Py_ssize_t sizes[M_ARRAYS] = {4, 4, 4, 4, 4, 4, 1, 1, 4, 4, 4, 8};
    if (!PyTuple_Check(arrays) || PyTuple_Size(arrays) != M_ARRAYS)
        return raise_misfit();
    for (; memory->view_count < M_ARRAYS; memory->view_count++) {
        int index = memory->view_count;
        if (veil_get_buffer(PyTuple_GetItem(arrays, index), &memory->views[index], sizes[index],
                            index == M_VALUES) < 0)
            return -1;
    }
    const Py_buffer *views = memory->views;
    memory->size = views[M_FORM].len / 4;
    memory->mails = views[M_MAIL].len / 8;
    memory->form = views[M_FORM].buf;
    memory->start = views[M_START].buf;
    memory->end = views[M_END].buf;
    memory->doc = views[M_DOC].buf;
    memory->line = views[M_LINE].buf;
    memory->first = views[M_FIRST].buf;
    memory->codes = views[M_CODES].buf;
    memory->cases = views[M_CASES].buf;
    memory->word_of = views[M_WORDS].buf;
    memory->mail = views[M_MAIL].buf;
    if (words < 0 || !fits(memory, words))
        return raise_misfit();
    if ((memory->seen = PyMem_Calloc(2 * (size_t)words + 1, 1)) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memory->is_field = memory->seen + words;
    for (Py_ssize_t index = 0; index < views[M_FIELDS].len / 4; index++) {
        int32_t word = ((const int32_t *)views[M_FIELDS].buf)[index];
        if (word < 0 || words <= word)
            return raise_misfit();
        memory->is_field[word] = 1;
    }
    return 0;
}

static PyObject *document_memory(PyObject *module, PyObject *arguments)
{
    PyObject *arrays;
    Py_ssize_t words, colon = -1, mail = 0;
    Memory memory = {.view_count = 0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "On", &arrays, &words))
        return NULL;
    int failed = get_memory(&memory, arrays, words) < 0;
    for (Py_ssize_t first = 0, end; !failed && first < memory.size; first = end) {
        end = first + 1;
        while (end < memory.size && memory.doc[end] == memory.doc[first])
            end++;
        remember_document(&memory, first, end, &colon, &mail, memory.views[M_VALUES].buf);
    }
    PyMem_Free(memory.seen);
    while (0 < memory.view_count)
        PyBuffer_Release(&memory.views[--memory.view_count]);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- Words under spans ---------------------------------------------------------------------- */

enum { W_START, W_END, W_BREAKS, W_RESULT, W_ARRAYS };

/* The tokens of a stream that are not breaks; those of a document are consecutive. */
typedef struct {
    Py_buffer views[W_ARRAYS];
    int view_count;
    Py_ssize_t size;
    const int32_t *start, *end;
    const unsigned char *breaks;
    int32_t *words;
    PyObject *start_name, *end_name;
} Words;

/* A callback for the words of a span, with the index of the span among all. */
typedef int (*Handle)(const Words *words, const int32_t *first, const int32_t *end,
                      Py_ssize_t span, void *context);

static void release_words(Words *words)
{
    while (0 < words->view_count)
        PyBuffer_Release(&words->views[--words->view_count]);
    PyMem_Free(words->words);
    Py_XDECREF(words->start_name);
    Py_XDECREF(words->end_name);
}

static int get_words(Words *words, PyObject *start, PyObject *end, PyObject *breaks,
                     PyObject *result, Py_ssize_t result_size)
{
    PyObject *objects[W_ARRAYS] = {start, end, breaks, result};
    Py_ssize_t sizes[W_ARRAYS] = {4, 4, 1, result_size};
    for (; words->view_count < W_ARRAYS; words->view_count++)
        if (veil_get_buffer(objects[words->view_count], &words->views[words->view_count],
                            sizes[words->view_count], words->view_count == W_RESULT) < 0)
            return -1;
    words->size = words->views[W_BREAKS].len;
    for (int index = 0; index < W_ARRAYS; index++)
        if (words->views[index].len != words->size * sizes[index])
            return raise_misfit();
    words->start = words->views[W_START].buf;
    words->end = words->views[W_END].buf;
    words->breaks = words->views[W_BREAKS].buf;
    words->start_name = PyUnicode_InternFromString("start");
    words->end_name = PyUnicode_InternFromString("end");
    words->words = PyMem_Malloc((size_t)words->size * sizeof(int32_t) + 1);
    if (words->words == NULL)
        PyErr_NoMemory();
    return PyErr_Occurred() ? -1 : 0;
}

/* The first word whose offset is greater than a number. */
static const int32_t *first_beyond(const int32_t *first, const int32_t *end,
                                   const int32_t *offsets, Py_ssize_t number)
{
    while (first < end) {
        const int32_t *middle = first + (end - first) / 2;
        if (number < offsets[*middle])
            end = middle;
        else
            first = middle + 1;
    }
    return first;
}

static Py_ssize_t offset_of(PyObject *span, PyObject *name)
{
    PyObject *offset = PyObject_GetAttr(span, name);
    Py_ssize_t number = offset == NULL ? -1 : PyLong_AsSsize_t(offset);
    Py_XDECREF(offset);
    return number;
}

/* A word that a span covers in part belongs to it. */
static int handle_spans(const Words *words, const int32_t *end, PyObject *spans,
                        Py_ssize_t *number, Handle handle, void *context)
{
    Py_ssize_t count = PySequence_Size(spans);
    for (Py_ssize_t index = 0; index < count; index++, (*number)++) {
        PyObject *span = PySequence_GetItem(spans, index);
        if (span == NULL)
            return -1;
        Py_ssize_t start = offset_of(span, words->start_name);
        Py_ssize_t stop = offset_of(span, words->end_name);
        Py_DECREF(span);
        if (PyErr_Occurred())
            return -1;
        const int32_t *first = first_beyond(words->words, end, words->end, start);
        const int32_t *beyond = first_beyond(first, end, words->start, stop - 1);
        if (first < beyond && handle(words, first, beyond, *number, context) < 0)
            return -1;
    }
    return count < 0 ? -1 : 0;
}

/* Go through the spans of all documents, whose tokens lie within `bounds`. */
static int handle_documents(Words *words, PyObject *bounds, PyObject *documents, Handle handle,
                            void *context)
{
    Py_ssize_t count = PySequence_Size(documents), number = 0;
    if (count < 0 || PyList_Size(bounds) != count)
        return PyErr_Occurred() ? -1 : raise_misfit();
    for (Py_ssize_t index = 0; index < count; index++) {
        Py_ssize_t first, end;
        int32_t *next = words->words;
        PyObject *bound = PyList_GetItem(bounds, index);
        if (bound == NULL || !PyArg_ParseTuple(bound, "nn", &first, &end))
            return -1;
        if (first < 0 || words->size < end)
            return raise_misfit();
        for (Py_ssize_t at = first; at < end; at++)
            if (!words->breaks[at])
                *next++ = (int32_t)at;
        PyObject *spans = PySequence_GetItem(documents, index);
        int failed = spans == NULL || handle_spans(words, next, spans, &number, handle, context) < 0;
        Py_XDECREF(spans);
        if (failed)
            return -1;
    }
    return 0;
}

/* The values of the first word of each span and of the others. */
typedef struct {
    Py_buffer values;
    int are_first;
} SpanValues;

static int write_values(const Words *words, const int32_t *first, const int32_t *end,
                        Py_ssize_t span, void *context)
{
    const SpanValues *own = context;
    int64_t *column = words->views[W_RESULT].buf;
    if (own->values.len / 16 <= span)
        return raise_misfit();
    const int64_t *values = (const int64_t *)own->values.buf + 2 * span;
    if (own->are_first)
        column[*first] = values[0];
    else
        for (; first < end; first++)
            column[*first] = values[1];
    return 0;
}

static PyObject *span_column(PyObject *module, PyObject *arguments)
{
    PyObject *start, *end, *breaks, *bounds, *documents, *values, *column;
    long long outside;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOOLO", &start, &end, &breaks, &bounds, &documents,
                          &values, &outside, &column))
        return NULL;
    SpanValues own = {.are_first = 0};
    if (veil_get_buffer(values, &own.values, sizeof(int64_t), 0) < 0)
        return NULL;
    Words words = {.view_count = 0};
    int failed = get_words(&words, start, end, breaks, column, sizeof(int64_t)) < 0;
    for (Py_ssize_t at = 0; !failed && at < words.size; at++)
        ((int64_t *)words.views[W_RESULT].buf)[at] = words.breaks[at] ? NONE : outside;
    /* A word that two spans cover in part begins the second. */
    for (; !failed && own.are_first < 2; own.are_first++)
        failed = handle_documents(&words, bounds, documents, write_values, &own) < 0;
    release_words(&words);
    PyBuffer_Release(&own.values);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static int mark_if_untagged(const Words *words, const int32_t *first, const int32_t *end,
                            Py_ssize_t span, void *context)
{
    const int16_t *tags = ((const Py_buffer *)context)->buf;
    unsigned char *marked = words->views[W_RESULT].buf;
    (void)span;
    for (const int32_t *word = first; word < end; word++)
        if (tags[*word] != 0)
            return 0;
    for (; first < end; first++)
        marked[*first] = 1;
    return 0;
}

static PyObject *mark_untagged(PyObject *module, PyObject *arguments)
{
    PyObject *start, *end, *breaks, *bounds, *documents, *tags_object, *marked;
    Py_buffer tags;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOOO", &start, &end, &breaks, &bounds, &documents,
                          &tags_object, &marked) ||
        veil_get_buffer(tags_object, &tags, sizeof(int16_t), 0) < 0)
        return NULL;
    Words words = {.view_count = 0};
    int failed = get_words(&words, start, end, breaks, marked, 1) < 0;
    if (!failed && tags.len / 2 != words.size)
        failed = raise_misfit();
    failed = failed || handle_documents(&words, bounds, documents, mark_if_untagged, &tags) < 0;
    release_words(&words);
    PyBuffer_Release(&tags);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- Lines and documents -------------------------------------------------------------------- */

enum { L_FORM, L_CODES, L_BREAKS, L_DOC, L_LINE, L_FIRST, L_LAST, L_ARRAYS };

/* Write the lines of a stream and the documents that its tokens are in; the number of lines. */
static Py_ssize_t write_lines(const Py_buffer *views, PyObject *bounds)
{
    const int32_t *form = views[L_FORM].buf;
    const unsigned char *codes = views[L_CODES].buf;
    unsigned char *breaks = views[L_BREAKS].buf;
    int32_t *doc = views[L_DOC].buf, *line = views[L_LINE].buf, *first = views[L_FIRST].buf,
            *last = views[L_LAST].buf;
    Py_ssize_t size = views[L_FORM].len / 4, next = 0, lines = 0, document = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        if (at == next) {
            Py_ssize_t end;
            PyObject *bound = ++document < PyList_Size(bounds) ? PyList_GetItem(bounds, document)
                                                               : NULL;
            if (bound != NULL && !PyArg_ParseTuple(bound, "nn", &next, &end))
                return -1;
        }
        if (form[at] < 0 || views[L_CODES].len <= form[at])
            return raise_misfit();
        breaks[at] = codes[form[at]] == '\n';
        if (at == 0 || breaks[at - 1])
            first[lines++] = (int32_t)at;
        last[lines - 1] = (int32_t)at;
        line[at] = (int32_t)lines - 1;
        doc[at] = (int32_t)document - 1;
    }
    return lines;
}

static PyObject *lines_of(PyObject *module, PyObject *arguments)
{
    PyObject *objects[L_ARRAYS], *bounds;
    Py_buffer views[L_ARRAYS];
    Py_ssize_t lines = -1;
    int count = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO!OOOOO", &objects[L_FORM], &objects[L_CODES], &PyList_Type,
                          &bounds, &objects[L_BREAKS], &objects[L_DOC], &objects[L_LINE],
                          &objects[L_FIRST], &objects[L_LAST]))
        return NULL;
    for (; count < L_ARRAYS; count++) {
        Py_ssize_t item_size = count == L_CODES || count == L_BREAKS ? 1 : 4;
        if (veil_get_buffer(objects[count], &views[count], item_size, L_BREAKS <= count) < 0)
            goto done;
        if (L_BREAKS <= count && views[count].len / item_size != views[L_FORM].len / 4) {
            count++;
            raise_misfit();
            goto done;
        }
    }
    lines = write_lines(views, bounds);
done:
    while (0 < count)
        PyBuffer_Release(&views[--count]);
    return lines < 0 ? NULL : PyLong_FromSsize_t(lines);
}

/* ---- The module ----------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"document_memory", document_memory, METH_VARARGS,
     "Write where else the document of each token has the same word."},
    {"lines_of", lines_of, METH_VARARGS,
     "Write breaks, documents and lines of tokens, and the first and last token of each line;\n"
     "return the number of lines."},
    {"span_column", span_column, METH_VARARGS,
     "Write two values for each span of each document: for its first word and for the others."},
    {"mark_untagged", mark_untagged, METH_VARARGS,
     "Mark the words of those spans of each document that have no tagged word."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef Positions_methods[] = {
    {"write_ids", Positions_write_ids, METH_VARARGS,
     "Write the ids of all features of a stream into arrays."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot Positions_slots[] = {
    {Py_tp_doc, "Features of positions, each with the values that have ids."},
    {Py_tp_init, (void *)Positions_init},
    {Py_tp_dealloc, (void *)Positions_dealloc},
    {Py_tp_methods, Positions_methods},
    {0, NULL},
};

static PyType_Spec Positions_spec = {
    .name = "veil._native.Positions",
    .basicsize = sizeof(Positions),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = Positions_slots,
};

int veil_add_positions(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &Positions_spec, NULL);
    PyObject *names = PyList_New(0);
    int failed = type == NULL || names == NULL ||
                 PyModule_AddType(module, (PyTypeObject *)type) < 0;
    for (int kind = 0; !failed && kind < GIVEN; kind++) {
        PyObject *name = PyUnicode_FromString(NAMES[kind]);
        failed = name == NULL || PyList_Append(names, name) < 0;
        Py_XDECREF(name);
    }
    failed = failed || PyModule_AddObjectRef(module, "POSITION_FEATURES", names) < 0 ||
             PyModule_AddFunctions(module, functions) < 0;
    Py_XDECREF(names);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
