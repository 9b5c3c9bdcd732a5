/* The automaton that finds where rules may match.
 *
 * Its tables are made by veil/detect/rules/automaton.py, which describes them: states of a
 * nondeterministic automaton with their edges. The states of the deterministic one, which are sets
 * of these, are made on demand. They are cached until there are too many; then the cache is
 * cleared. Only these sets are kept of a text. The global lock is held throughout, so that threads
 * and forks see complete states only: Python is called between walks.
 *
 * The automaton accepts more than the patterns do: Python tries the patterns of the rules that it
 * returns.
 */
#include "native.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE_SIZE = 256, PAGES = 0x110000 / PAGE_SIZE };
enum { MOST_CLASSES = 0xFFFF, MOST_RULES = 0x7FFF, MOST_MASK_WORDS = 16 };
enum { OF_WORD = 1, UNASSIGNED = 2 };
/* Flags: an accepted rule in a set of states, and an accepting state. */
enum { ACCEPTED = 1u << 31, ACCEPTING = 1 << 15 };
/* Limits of the deterministic automaton: states, members of all states, and cached steps between
 * states. */
enum { DEAD, AT_WORD, ELSEWHERE, MOST_STATES = 1 << 16 };
enum { MOST_MEMBERS = 1 << 21, FIRST_STEPS = 1 << 12, MOST_STEPS_KEPT = 1 << 17 };

/* The head of the tables, in the order of `tables` of the Python module. */
typedef struct {
    int32_t classes, states, edges, sets, runs, run_items, rules, pages, edge, most_steps;
    int32_t at_word, elsewhere;
    int32_t reserved[4];
} Head;

/* `characters`: a class, or the complement of the number of a set of classes. `target`: a state,
 * or the complement of the number of a run of states. */
typedef struct {
    int32_t characters, target;
} Edge;

/* The members of a state are in a pool: states of the tables, sorted, then accepted rules. */
typedef struct {
    uint32_t members, hash;
    uint32_t live, accepted;
} State;

/* A cached step: the state and the class in one number, 0 if there is none. */
typedef struct {
    uint32_t from, to;
} Step;

typedef struct {
    PyObject_HEAD
    Py_buffer buffer;
    Head head;
    int mask_words, set_words;
    const uint16_t *page_of, *pages, *owners;
    const uint32_t *first_edges, *first_items, *items;
    const Edge *edges;
    const uint64_t *sets;
    const unsigned char *kinds;
    /* The deterministic automaton. */
    State *states;
    uint32_t *pool, *by_hash, *scratch, *marks, *rule_marks;
    Step *steps;
    uint32_t state_count, pool_size, step_count, step_room, mark;
    uint32_t state_room, pool_room;
} Automaton;

static Py_ssize_t aligned(Py_ssize_t size)
{
    return (size + 7) / 8 * 8;
}

static int is_target(const Head *head, int32_t target)
{
    return 0 <= target ? target < head->states : ~target < head->runs;
}

static int is_rising(const uint32_t *bounds, int32_t count, int32_t end)
{
    for (int32_t at = 0; at < count; at++)
        if (bounds[at + 1] < bounds[at])
            return 0;
    return bounds[0] == 0 && bounds[count] == (uint32_t)end;
}

/* Whether all numbers of the tables are in range. */
static int is_sound(const Automaton *self)
{
    const Head *head = &self->head;
    Py_ssize_t at;
    for (at = 0; at < PAGES; at++)
        if (head->pages <= self->page_of[at])
            return 0;
    for (at = 0; at < (Py_ssize_t)head->pages * PAGE_SIZE; at++)
        if (head->classes <= self->pages[at])
            return 0;
    for (at = 0; at < head->states; at++)
        if (head->rules <= (self->owners[at] & ~ACCEPTING))
            return 0;
    for (at = 0; at < head->edges; at++) {
        int32_t characters = self->edges[at].characters;
        int is_known = 0 <= characters ? characters < head->classes : ~characters < head->sets;
        if (!is_known || !is_target(head, self->edges[at].target))
            return 0;
    }
    for (at = 0; at < head->run_items; at++)
        if ((uint32_t)head->states <= self->items[at])
            return 0;
    return is_rising(self->first_edges, head->states, head->edges) &&
           is_rising(self->first_items, head->runs, head->run_items) &&
           is_target(head, head->at_word) && is_target(head, head->elsewhere);
}

static int has_plausible_head(const Head *head)
{
    return 0 < head->classes && head->classes < MOST_CLASSES && 0 <= head->states &&
           0 <= head->edges && 0 <= head->sets && 0 <= head->runs && 0 <= head->run_items &&
           0 < head->rules && head->rules <= MOST_RULES && head->rules <= 64 * MOST_MASK_WORDS &&
           0 < head->pages && head->pages <= PAGES && 0 <= head->edge &&
           head->edge < head->classes && 0 < head->most_steps;
}

/* Find the parts of the tables; returns whether they are valid. */
static int read_tables(Automaton *self)
{
    const char *data = self->buffer.buf;
    Py_ssize_t left = self->buffer.len - (Py_ssize_t)sizeof(Head);
    Head *head = &self->head;
    if (left < 0 || (uintptr_t)data % 8 != 0)
        return 0;
    memcpy(head, data, sizeof *head);
    data += sizeof *head;
    if (!has_plausible_head(head))
        return 0;
    self->mask_words = (head->rules + 63) / 64;
    self->set_words = (head->classes + 63) / 64;
    const Py_ssize_t sizes[] = {
        2 * PAGES,
        2 * (Py_ssize_t)head->pages * PAGE_SIZE,
        head->classes,
        8 * (Py_ssize_t)head->sets * self->set_words,
        2 * (Py_ssize_t)head->states,
        4 * ((Py_ssize_t)head->states + 1),
        (Py_ssize_t)sizeof(Edge) * head->edges,
        4 * ((Py_ssize_t)head->runs + 1),
        4 * (Py_ssize_t)head->run_items,
    };
    const void *parts[9];
    for (int part = 0; part < 9; part++) {
        parts[part] = data;
        data += aligned(sizes[part]);
        left -= aligned(sizes[part]);
        if (left < 0)
            return 0;
    }
    self->page_of = parts[0];
    self->pages = parts[1];
    self->kinds = parts[2];
    self->sets = parts[3];
    self->owners = parts[4];
    self->first_edges = parts[5];
    self->edges = parts[6];
    self->first_items = parts[7];
    self->items = parts[8];
    return left == 0 && is_sound(self);
}

/* Sets of states ------------------------------------------------------------------------------ */

/* Begin a new set; returns the mark of its members. */
static uint32_t new_mark(Automaton *self)
{
    if (++self->mark == 0) {
        memset(self->marks, 0, (size_t)self->head.states * sizeof *self->marks);
        memset(self->rule_marks, 0, (size_t)self->head.rules * sizeof *self->rule_marks);
        self->mark = 1;
    }
    return self->mark;
}

/* Add a state, or a run of states, to the set in `scratch`; returns its new size. */
static uint32_t add_target(Automaton *self, int32_t target, uint32_t count)
{
    uint32_t single = (uint32_t)target;
    const uint32_t *item = &single, *end = item + 1;
    if (target < 0) {
        item = self->items + self->first_items[~target];
        end = self->items + self->first_items[~target + 1];
    }
    for (; item < end; item++)
        if (self->marks[*item] != self->mark) {
            self->marks[*item] = self->mark;
            self->scratch[count++] = *item;
        }
    return count;
}

static int compare(const void *one, const void *other)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

/* Sort states; nearly all sets are small or nearly sorted. */
static void sort(uint32_t *states, uint32_t count)
{
    uint32_t moves = 0;
    for (uint32_t at = 1; at < count; at++) {
        uint32_t state = states[at], to = at;
        for (; 0 < to && state < states[to - 1]; to--)
            states[to] = states[to - 1];
        states[to] = state;
        moves += at - to;
        if (4 * count + 64 < moves) {
            qsort(states, count, sizeof *states, compare);
            return;
        }
    }
}

/* Sort the set in `scratch`. A rule that is accepted is tried in any case: its
 * states are left out. Returns the number of states, and in `accepted` that of the rules. */
static uint32_t settle(Automaton *self, uint32_t count, uint32_t *accepted)
{
    uint32_t *scratch = self->scratch, live = 0, at;
    uint32_t rules = 0;
    for (at = 0; at < count; at++)
        if (self->owners[scratch[at]] & ACCEPTING)
            self->rule_marks[self->owners[scratch[at]] & ~ACCEPTING] = self->mark, rules++;
    if (rules == 0) {
        live = count;
    } else {
        for (at = 0; at < count; at++)
            if (self->rule_marks[self->owners[scratch[at]] & ~ACCEPTING] != self->mark)
                scratch[live++] = scratch[at];
    }
    sort(scratch, live);
    *accepted = 0;
    if (rules != 0)
        for (int32_t rule = 0; rule < self->head.rules; rule++)
            if (self->rule_marks[rule] == self->mark)
                scratch[live + (*accepted)++] = ACCEPTED | (uint32_t)rule;
    return live;
}

static uint32_t hash_of(const uint32_t *members, uint32_t count)
{
    uint32_t hash = 2166136261u;
    for (uint32_t at = 0; at < count; at++)
        hash = (hash ^ members[at]) * 16777619u;
    return hash ^ hash >> 15;
}

/* Make room for a state with so many members; returns -1 with an error set. */
static int grow(Automaton *self, uint32_t count)
{
    if (self->state_room <= self->state_count) {
        uint32_t room = self->state_room ? 2 * self->state_room : 1 << 10;
        State *states = PyMem_Realloc(self->states, room * sizeof *states);
        if (states == NULL)
            goto failed;
        self->states = states;
        /* The hash table has twice as many places. */
        uint32_t *by_hash = PyMem_Realloc(self->by_hash, 2 * (size_t)room * sizeof *by_hash);
        if (by_hash == NULL)
            goto failed;
        self->by_hash = by_hash;
        memset(by_hash, 0, 2 * (size_t)room * sizeof *by_hash);
        for (uint32_t state = 1; state < self->state_count; state++) {
            uint32_t place = states[state].hash & (2 * room - 1);
            while (by_hash[place] != 0)
                place = (place + 1) & (2 * room - 1);
            by_hash[place] = state;
        }
        self->state_room = room;
    }
    if (self->pool_room - self->pool_size < count) {
        uint32_t room = self->pool_room ? self->pool_room : 1 << 14;
        while (room - self->pool_size < count)
            room *= 2;
        uint32_t *pool = PyMem_Realloc(self->pool, room * sizeof *pool);
        if (pool == NULL)
            goto failed;
        self->pool = pool;
        self->pool_room = room;
    }
    return 0;
failed:
    PyErr_NoMemory();
    return -1;
}

/* Return the state of the set in `scratch`, making it if needed; UINT32_MAX with an error. */
static uint32_t intern(Automaton *self, uint32_t live, uint32_t accepted)
{
    uint32_t count = live + accepted;
    if (count == 0)
        return DEAD;
    if (grow(self, count) < 0)
        return UINT32_MAX;
    uint32_t hash = hash_of(self->scratch, count), last = 2 * self->state_room - 1;
    uint32_t place = hash & last;
    for (; self->by_hash[place] != 0; place = (place + 1) & last) {
        const State *known = &self->states[self->by_hash[place]];
        if (known->hash == hash && known->live == live && known->accepted == accepted &&
            memcmp(self->pool + known->members, self->scratch, count * sizeof *self->pool) == 0)
            return self->by_hash[place];
    }
    State *state = &self->states[self->state_count];
    state->members = self->pool_size;
    state->hash = hash;
    state->live = live;
    state->accepted = accepted;
    memcpy(self->pool + self->pool_size, self->scratch, count * sizeof *self->pool);
    self->pool_size += count;
    self->by_hash[place] = self->state_count;
    return self->state_count++;
}

/* Add the states with which walks begin; returns -1 with an error set. */
static int add_roots(Automaton *self)
{
    const int32_t targets[] = {self->head.at_word, self->head.elsewhere};
    for (uint32_t root = 0; root < 2; root++) {
        uint32_t accepted;
        new_mark(self);
        uint32_t count = add_target(self, targets[root], 0);
        count = settle(self, count, &accepted);
        /* Each is a separate state, even if both are equal. */
        if (grow(self, count) < 0)
            return -1;
        State *state = &self->states[self->state_count];
        state->members = self->pool_size;
        state->hash = 0;
        state->live = count;
        state->accepted = 0;
        memcpy(self->pool + self->pool_size, self->scratch, count * sizeof *self->pool);
        self->pool_size += count;
        self->state_count++;
    }
    return 0;
}

/* Discard all states but the dead one and the roots; returns -1 with an error set. */
static int forget(Automaton *self)
{
    self->state_count = 1;
    self->pool_size = 0;
    self->step_count = 0;
    if (self->by_hash != NULL)
        memset(self->by_hash, 0, 2 * (size_t)self->state_room * sizeof *self->by_hash);
    memset(self->steps, 0, self->step_room * sizeof *self->steps);
    if (grow(self, 0) < 0)
        return -1;
    memset(&self->states[DEAD], 0, sizeof *self->states);
    return add_roots(self);
}

static uint32_t place_of(const Automaton *self, uint32_t from)
{
    return (from * 2654435769u >> 7) & (self->step_room - 1);
}

/* Cache a step; returns -1 with an error set. */
static int keep_step(Automaton *self, uint32_t from, uint32_t to)
{
    if (self->step_room < 2 * self->step_count) {
        uint32_t old_room = self->step_room;
        Step *old = self->steps, *steps = PyMem_Calloc(2 * (size_t)old_room, sizeof *steps);
        if (steps == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->steps = steps;
        self->step_room = 2 * old_room;
        for (uint32_t at = 0; at < old_room; at++)
            if (old[at].from != 0) {
                uint32_t place = place_of(self, old[at].from);
                while (steps[place].from != 0)
                    place = (place + 1) & (self->step_room - 1);
                steps[place] = old[at];
            }
        PyMem_Free(old);
    }
    uint32_t place = place_of(self, from);
    while (self->steps[place].from != 0)
        place = (place + 1) & (self->step_room - 1);
    self->steps[place].from = from;
    self->steps[place].to = to;
    self->step_count++;
    return 0;
}

/* Make the state to which a class leads; UINT32_MAX with an error set. */
static uint32_t make_step(Automaton *self, uint32_t from, uint16_t class)
{
    uint32_t count = 0, accepted;
    const State state = self->states[from];
    new_mark(self);
    for (uint32_t at = 0; at < state.live; at++) {
        uint32_t member = self->pool[state.members + at];
        const Edge *edge = self->edges + self->first_edges[member];
        const Edge *end = self->edges + self->first_edges[member + 1];
        for (; edge < end; edge++) {
            int leads_on = edge->characters == class;
            if (edge->characters < 0)
                leads_on = self->sets[(size_t)~edge->characters * (size_t)self->set_words +
                                      class / 64] >> class % 64 & 1;
            if (leads_on)
                count = add_target(self, edge->target, count);
        }
    }
    count = settle(self, count, &accepted);
    if (MOST_STATES <= self->state_count || MOST_MEMBERS < self->pool_size + count + accepted ||
        MOST_STEPS_KEPT <= self->step_count) {
        /* The set is not part of the states that are discarded. */
        uint32_t size = (count + accepted) * (uint32_t)sizeof *self->scratch;
        uint32_t *kept = PyMem_Malloc(size + 1);
        if (kept == NULL) {
            PyErr_NoMemory();
            return UINT32_MAX;
        }
        memcpy(kept, self->scratch, size);
        uint32_t made = UINT32_MAX;
        if (forget(self) == 0) {
            memcpy(self->scratch, kept, size);
            made = intern(self, count, accepted);
        }
        PyMem_Free(kept);
        return made;
    }
    uint32_t to = intern(self, count, accepted);
    if (to == UINT32_MAX || keep_step(self, from << 16 | class, to) < 0)
        return UINT32_MAX;
    return to;
}

static inline uint32_t follow(Automaton *self, uint32_t from, uint16_t class)
{
    uint32_t key = from << 16 | class, place = place_of(self, key);
    for (; self->steps[place].from != 0; place = (place + 1) & (self->step_room - 1))
        if (self->steps[place].from == key)
            return self->steps[place].to;
    return make_step(self, from, class);
}

/* Walks --------------------------------------------------------------------------------------- */

/* Walk from one character; returns whether a rule may match there, -1 with an error set.
 *
 * After many steps all live rules may match.
 */
static int walk(Automaton *self, uint32_t root, const uint16_t *classes, Py_ssize_t at,
                uint64_t *mask)
{
    int found = 0;
    /* The character before: `classes` has an edge before the text and one after it. */
    uint32_t number = follow(self, root, classes[at - 1]);
    for (int step = 0; number != DEAD; step++, at++) {
        if (number == UINT32_MAX)
            return -1;
        const State *state = &self->states[number];
        uint32_t live = state->live, accepted = state->accepted;
        const uint32_t *member = self->pool + state->members;
        int is_last = step == self->head.most_steps;
        if (accepted != 0 || (is_last && live != 0)) {
            if (!found)
                memset(mask, 0, (size_t)self->mask_words * sizeof *mask);
            found = 1;
            for (uint32_t each = is_last ? 0 : live; each < live + accepted; each++) {
                uint32_t rule = each < live ? self->owners[member[each]] & ~(uint32_t)ACCEPTING
                                            : member[each] & ~(uint32_t)ACCEPTED;
                mask[rule / 64] |= (uint64_t)1 << rule % 64;
            }
        }
        if (live == 0 || is_last || (0 < step && classes[at - 1] == self->head.edge))
            break;
        number = follow(self, number, classes[at]);
    }
    return found;
}

/* Python's data on words and rules: the rules that may begin with a word, as a mask or as an object
 * that a function turns into a mask for an offset, and the rules of a mask. */
typedef struct {
    PyObject *words, *searched, *allow, *go_on, *rules, *select;
} Tried;

/* Return the mask of the rules that are allowed at a place, a new reference. */
static PyObject *allowed_at(const Tried *tried, PyObject *text, Py_ssize_t start, Py_ssize_t end)
{
    if (end <= start)
        return Py_NewRef(tried->searched);
    PyObject *word = PyUnicode_Substring(text, start, end);
    if (word == NULL)
        return NULL;
    PyObject *allowed = Py_XNewRef(PyDict_GetItemWithError(tried->words, word));
    if (allowed == NULL && !PyErr_Occurred())
        allowed = PyObject_CallFunctionObjArgs(tried->allow, word, NULL);
    Py_DECREF(word);
    if (allowed != NULL && !PyBytes_Check(allowed)) {
        PyObject *mask = PyObject_CallFunction(tried->go_on, "On", allowed, start);
        Py_DECREF(allowed);
        allowed = mask;
    }
    return allowed;
}

/* Add a place and the rules to be tried there, if any; returns -1 with an error set. */
static int add_place(const Automaton *self, const Tried *tried, PyObject *found, PyObject *text,
                     Py_ssize_t start, Py_ssize_t end, uint64_t *mask)
{
    Py_ssize_t size = self->mask_words * (Py_ssize_t)sizeof *mask;
    PyObject *allowed = allowed_at(tried, text, start, end);
    if (allowed == NULL)
        return -1;
    uint64_t words[MOST_MASK_WORDS], any = 0;
    if (!PyBytes_Check(allowed) || PyBytes_Size(allowed) != size) {
        Py_DECREF(allowed);
        PyErr_SetString(PyExc_ValueError, "a mask of rules has a wrong size");
        return -1;
    }
    memcpy(words, PyBytes_AsString(allowed), (size_t)size);
    Py_DECREF(allowed);
    for (int word = 0; word < self->mask_words; word++)
        any |= mask[word] &= words[word];
    if (any == 0)
        return 0;
    PyObject *key = PyBytes_FromStringAndSize((const char *)mask, size);
    if (key == NULL)
        return -1;
    PyObject *rules = Py_XNewRef(PyDict_GetItemWithError(tried->rules, key));
    if (rules == NULL && !PyErr_Occurred())
        rules = PyObject_CallFunctionObjArgs(tried->select, key, NULL);
    Py_DECREF(key);
    PyObject *place = rules == NULL ? NULL : Py_BuildValue("(nN)", start, rules);
    int failed = place == NULL || PyList_Append(found, place) < 0;
    Py_XDECREF(place);
    return failed ? -1 : 0;
}

static PyObject *find_all(Automaton *self, const Tried *tried, PyObject *text,
                          const uint16_t *classes, Py_ssize_t length)
{
    uint64_t mask[MOST_MASK_WORDS];
    Py_ssize_t word_end = 0;
    PyObject *found = PyList_New(0);
    if (found == NULL)
        return NULL;
    for (Py_ssize_t at = 1; at <= length; at++) {
        int begins_word = word_end < at && self->kinds[classes[at]] == OF_WORD;
        if (begins_word)
            for (word_end = at; word_end < length && self->kinds[classes[word_end + 1]] == OF_WORD;)
                word_end++;
        int is_found = walk(self, begins_word ? AT_WORD : ELSEWHERE, classes, at, mask);
        if (is_found == 0)
            continue;
        Py_ssize_t end = begins_word ? word_end : at - 1;
        if (is_found < 0 || add_place(self, tried, found, text, at - 1, end, mask) < 0) {
            Py_DECREF(found);
            return NULL;
        }
    }
    return found;
}

static PyObject *Automaton_find(PyObject *object, PyObject *arguments)
{
    Automaton *self = (Automaton *)object;
    PyObject *text;
    Tried tried;
    if (!PyArg_ParseTuple(arguments, "UO!SOOO!O:find", &text, &PyDict_Type, &tried.words,
                          &tried.searched, &tried.allow, &tried.go_on, &PyDict_Type, &tried.rules,
                          &tried.select))
        return NULL;
    if (self->steps == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the object was not initialised");
        return NULL;
    }
    Py_ssize_t length = PyUnicode_GetLength(text);
    if (length < 0)
        return NULL;
    Py_UCS4 *points = PyMem_Malloc((size_t)(length + 1) * sizeof *points);
    uint16_t *classes = PyMem_Malloc((size_t)(length + 2) * sizeof *classes);
    PyObject *found = NULL;
    if (points == NULL || classes == NULL) {
        PyErr_NoMemory();
    } else if (PyUnicode_AsUCS4(text, points, length + 1, 1) != NULL) {
        classes[0] = classes[length + 1] = (uint16_t)self->head.edge;
        int unassigned = 0;
        for (Py_ssize_t at = 0; at < length; at++) {
            Py_UCS4 point = points[at];
            uint16_t number =
                self->pages[self->page_of[point / PAGE_SIZE] * PAGE_SIZE + point % PAGE_SIZE];
            unassigned |= self->kinds[number] == UNASSIGNED;
            classes[at + 1] = number;
        }
        found = unassigned ? Py_NewRef(Py_None) : find_all(self, &tried, text, classes, length);
    }
    PyMem_Free(points);
    PyMem_Free(classes);
    return found;
}

/* The object --------------------------------------------------------------------------------- */

static int Automaton_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"tables", NULL};
    Automaton *self = (Automaton *)object;
    PyObject *tables;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &tables))
        return -1;
    if (self->buffer.obj != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the automaton has its tables already");
        return -1;
    }
    if (veil_get_buffer(tables, &self->buffer, 1, 0) < 0)
        return -1;
    if (!read_tables(self)) {
        PyErr_SetString(PyExc_ValueError, "the tables of the automaton are damaged");
        return -1;
    }
    size_t states = (size_t)self->head.states + 1, rules = (size_t)self->head.rules;
    self->marks = PyMem_Calloc(states, sizeof *self->marks);
    self->rule_marks = PyMem_Calloc(rules, sizeof *self->rule_marks);
    self->scratch = PyMem_Calloc(states + rules, sizeof *self->scratch);
    Step *steps = PyMem_Calloc(FIRST_STEPS, sizeof *steps);
    if (self->marks == NULL || self->rule_marks == NULL || self->scratch == NULL || steps == NULL) {
        PyMem_Free(steps);
        PyErr_NoMemory();
        return -1;
    }
    self->steps = steps;
    self->step_room = FIRST_STEPS;
    return forget(self);
}

static void Automaton_dealloc(PyObject *object)
{
    Automaton *self = (Automaton *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->buffer.obj != NULL)
        PyBuffer_Release(&self->buffer);
    void *parts[] = {self->states, self->pool,       self->by_hash, self->scratch,
                     self->marks,  self->rule_marks, self->steps};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++)
        PyMem_Free(parts[part]);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyMethodDef automaton_methods[] = {
    {"find", Automaton_find, METH_VARARGS,
     "find(text, words, searched, allow, go_on, rules, select): where rules may match, and these.\n"
     "None if the text has a character that was unassigned when the tables were made.\n\n"
     "words has the mask of the rules that may begin with a word, or what go_on(it, offset) makes\n"
     "a mask of; allow(word) adds a word. searched is the mask of the rules that need no word.\n"
     "rules has the rules of a mask; select(mask) adds them."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot automaton_slots[] = {
    {Py_tp_doc, "Finds where rules may match."},
    {Py_tp_init, (void *)Automaton_init},
    {Py_tp_dealloc, (void *)Automaton_dealloc},
    {Py_tp_methods, automaton_methods},
    {0, NULL},
};

static PyType_Spec automaton_spec = {
    .name = "veil._native.Automaton",
    .basicsize = sizeof(Automaton),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = automaton_slots,
};

int veil_add_automaton(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &automaton_spec, NULL);
    int failed = type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
