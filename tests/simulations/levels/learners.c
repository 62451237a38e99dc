/* The learners of learners.py for many training sets of the same rows, compiled: thousands of runs in an hour.

   Everywhere: x[feature][row], y[row] is 0 or 1, held[set][row] says how often a row is trained on, and answers[set][row]
   is the class given to a row that is not trained on. Loops run over rows or over LANES training sets at once, so that
   the compiler makes vector instructions of them. compiled.py holds the answers to those of the NumPy forms. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LANES 8 /* training sets whose trees are grown at once */
#define MOST 10  /* features and one more */
#define FAR 1e30f

typedef uint8_t byte;
typedef float Floats __attribute__((vector_size(4 * LANES)));
typedef int32_t Ints __attribute__((vector_size(4 * LANES)));
typedef struct { int n, features, sets; const float *x; const byte *y, *held; } Rows;
typedef struct { float count[2], mean[2][MOST], square[2][MOST]; } Moments;
typedef struct { float *weight, *of_class[2]; } Weights;

static float *floats(size_t many) { return aligned_alloc(64, (many * sizeof(float) + 63) / 64 * 64); }

static float total(const float *a, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    return sum;
}

static float product(const float *a, const float *b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static float product3(const float *a, const float *b, const float *c, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i] * c[i];
    return sum;
}

static Weights weights_for(int n) { return (Weights){floats(n), {floats(n), floats(n)}}; }

static void free_weights(Weights w) { free(w.weight), free(w.of_class[0]), free(w.of_class[1]); }

static void weigh(Weights w, const byte *held, const byte *y, int n) {
    for (int i = 0; i < n; i++) {
        float weight = held[i], high = weight * y[i];
        w.weight[i] = weight, w.of_class[1][i] = high, w.of_class[0][i] = weight - high;
    }
}

static Moments moments(const Rows *r, Weights w, int squares) {
    Moments m;
    for (int label = 0; label < 2; label++) {
        float count = m.count[label] = fmaxf(total(w.of_class[label], r->n), 1e-9f);
        for (int f = 0; f < r->features; f++) {
            const float *column = r->x + (size_t)f * r->n;
            m.mean[label][f] = product(w.of_class[label], column, r->n) / count;
            if (squares) m.square[label][f] = product3(w.of_class[label], column, column, r->n) / count;
        }
    }
    return m;
}

/* 1 where offset + slope . x is above zero, or with bend[f] the square of x[f] beside it. */
static void answer(const Rows *r, const float *slope, const float *bend, float offset, float *score, byte *answers) {
    for (int i = 0; i < r->n; i++) score[i] = offset;
    for (int f = 0; f < r->features; f++) {
        const float *column = r->x + (size_t)f * r->n;
        float a = slope[f], b = bend ? bend[f] : 0;
        for (int i = 0; i < r->n; i++) score[i] += (a + b * column[i]) * column[i];
    }
    for (int i = 0; i < r->n; i++) answers[i] = score[i] > 0;
}

/* Solve a x = b for a symmetric positive definite a by Cholesky's factors; b becomes x. */
static void solve(int d, double a[MOST][MOST], double *b) {
    for (int j = 0; j < d; j++) {
        for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < d; i++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < d; i++) {
        for (int k = 0; k < i; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = d - 1; i >= 0; i--) {
        for (int k = i + 1; k < d; k++) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

void centroid(const Rows *r, byte *answers) {
    Weights w = weights_for(r->n);
    float *score = floats(r->n), slope[MOST];
    for (int s = 0; s < r->sets; s++) {
        weigh(w, r->held + (size_t)s * r->n, r->y, r->n);
        Moments m = moments(r, w, 0);
        float offset = 0;
        for (int f = 0; f < r->features; f++) {
            slope[f] = m.mean[1][f] - m.mean[0][f];
            offset -= slope[f] * (m.mean[0][f] + m.mean[1][f]) / 2;
        }
        answer(r, slope, NULL, offset, score, answers + (size_t)s * r->n);
    }
    free_weights(w), free(score);
}

void discriminant(const Rows *r, float ridge, byte *answers) {
    Weights w = weights_for(r->n);
    float *score = floats(r->n), slope[MOST];
    int d = r->features;
    for (int s = 0; s < r->sets; s++) {
        weigh(w, r->held + (size_t)s * r->n, r->y, r->n);
        Moments m = moments(r, w, 0);
        float all = m.count[0] + m.count[1];
        double within[MOST][MOST], step[MOST];
        for (int f = 0; f < d; f++) {
            for (int g = 0; g <= f; g++) {
                within[f][g] = product3(w.weight, r->x + (size_t)f * r->n, r->x + (size_t)g * r->n, r->n);
                for (int label = 0; label < 2; label++)
                    within[f][g] -= (double)m.count[label] * m.mean[label][f] * m.mean[label][g];
                within[f][g] /= all;
            }
            within[f][f] += ridge;
            step[f] = m.mean[1][f] - m.mean[0][f];
        }
        solve(d, within, step);
        float offset = logf(m.count[1] / m.count[0]);
        for (int f = 0; f < d; f++) {
            slope[f] = step[f];
            offset -= slope[f] * (m.mean[0][f] + m.mean[1][f]) / 2;
        }
        answer(r, slope, NULL, offset, score, answers + (size_t)s * r->n);
    }
    free_weights(w), free(score);
}

void bayes(const Rows *r, float ridge, byte *answers) {
    Weights w = weights_for(r->n);
    float *score = floats(r->n), slope[MOST], bend[MOST];
    for (int s = 0; s < r->sets; s++) {
        weigh(w, r->held + (size_t)s * r->n, r->y, r->n);
        Moments m = moments(r, w, 1);
        float offset = logf(m.count[1]) - logf(m.count[0]);
        for (int f = 0; f < r->features; f++) {
            slope[f] = bend[f] = 0;
            for (int label = 0; label < 2; label++) {
                float sign = label ? 1 : -1, mean = m.mean[label][f];
                float spread = fmaxf(m.square[label][f] - mean * mean, 0) + ridge;
                bend[f] -= sign / (2 * spread);
                slope[f] += sign * mean / spread;
                offset -= sign * (mean * mean / spread + logf(spread)) / 2;
            }
        }
        answer(r, slope, bend, offset, score, answers + (size_t)s * r->n);
    }
    free_weights(w), free(score);
}

/* Newton's steps from beta until they are nothing; the intercept is beta[0]. */
static void newton(const Rows *r, const float *weight, double *beta, float *work) {
    int n = r->n, d = r->features + 1;
    float *rest = work, *bend = work + n, *part = work + 2 * n;
    for (int step = 0; step < 12; step++) {
        for (int i = 0; i < n; i++) rest[i] = beta[0];
        for (int f = 1; f < d; f++) {
            const float *column = r->x + (size_t)(f - 1) * n;
            float b = beta[f];
            for (int i = 0; i < n; i++) rest[i] += b * column[i];
        }
        for (int i = 0; i < n; i++) {
            float score = fminf(fmaxf(rest[i], -12), 12);
            float chance = 1 / (1 + expf(-score));
            rest[i] = weight[i] * (r->y[i] - chance);
            bend[i] = weight[i] * chance * (1 - chance);
        }
        double hessian[MOST][MOST], move[MOST], most = 0;
        move[0] = total(rest, n) - beta[0];
        hessian[0][0] = total(bend, n) + 1;
        for (int f = 1; f < d; f++) {
            const float *column = r->x + (size_t)(f - 1) * n;
            move[f] = product(rest, column, n) - beta[f];
            for (int i = 0; i < n; i++) part[i] = bend[i] * column[i];
            hessian[f][0] = total(part, n);
            for (int g = 1; g <= f; g++) hessian[f][g] = product(part, r->x + (size_t)(g - 1) * n, n);
            hessian[f][f] += 1;
        }
        solve(d, hessian, move);
        for (int f = 0; f < d; f++) {
            beta[f] += move[f];
            most = fmax(most, fabs(move[f]));
        }
        if (most < 3e-3) break; /* the next one would be about its square */
    }
}

void logistic(const Rows *r, byte *answers) {
    Weights w = weights_for(r->n);
    float *score = floats(r->n), *work = floats(3 * (size_t)r->n), slope[MOST];
    double whole[MOST] = {0}, beta[MOST];
    for (int i = 0; i < r->n; i++) w.weight[i] = 1;
    newton(r, w.weight, whole, work); /* near those of every training set */
    for (int s = 0; s < r->sets; s++) {
        for (int i = 0; i < r->n; i++) w.weight[i] = r->held[(size_t)s * r->n + i];
        memcpy(beta, whole, sizeof beta);
        newton(r, w.weight, beta, work);
        for (int f = 0; f < r->features; f++) slope[f] = beta[f + 1];
        answer(r, slope, NULL, beta[0], score, answers + (size_t)s * r->n);
    }
    free_weights(w), free(score), free(work);
}

static int within(const float *far, int n, float reach) {
    int count = 0;
    for (int i = 0; i < n; i++) count += far[i] <= reach;
    return count;
}

/* The `look` rows nearest to row i, nearest first; all of them and few more lie within the `reach`, which is returned.
   `unused` is FAR for rows that are trained on nowhere. */
static float nearest(const Rows *r, int i, int look, float reach, const float *unused, float *far, float *away, int *near) {
    int n = r->n, kept = 0;
    memcpy(far, unused, n * sizeof *far);
    for (int f = 0; f < r->features; f++) {
        const float *column = r->x + (size_t)f * n;
        float here = column[i];
        for (int j = 0; j < n; j++) far[j] += (column[j] - here) * (column[j] - here);
    }
    far[i] = FAR;
    float low = 0, high = reach;
    while (within(far, n, high) < look) low = high, high *= 2;
    for (int step = 0; step < 20 && within(far, n, high) > look + 12; step++) {
        float middle = (low + high) / 2;
        if (within(far, n, middle) < look) low = middle;
        else high = middle;
    }
    for (int j = 0; j < n; j++) {
        if (far[j] > high || (kept == look && far[j] >= away[look - 1])) continue;
        int place = kept < look ? kept++ : look - 1;
        for (; place > 0 && away[place - 1] > far[j]; place--) away[place] = away[place - 1], near[place] = near[place - 1];
        away[place] = far[j], near[place] = j;
    }
    return high;
}

void neighbours(const Rows *r, int k, int look, byte *answers) {
    float *far = floats(r->n), *away = floats(look), *unused = floats(r->n), reach = 1;
    int *near = malloc((size_t)r->n * look * sizeof *near);
    byte *asked = calloc(r->n, 1);
    for (int i = 0; i < r->n; i++) unused[i] = FAR;
    for (int s = 0; s < r->sets; s++)
        for (int i = 0; i < r->n; i++) {
            byte held = r->held[(size_t)s * r->n + i];
            unused[i] = held ? 0 : unused[i], asked[i] |= !held;
        }
    for (int i = 0; i < r->n; i++)
        if (asked[i]) reach = nearest(r, i, look, reach, unused, far, away, near + (size_t)i * look);
    for (int s = 0; s < r->sets; s++) {
        const byte *held = r->held + (size_t)s * r->n;
        for (int i = 0; i < r->n; i++) {
            if (held[i]) continue;
            int left = k, votes = 0;
            for (const int *j = near + (size_t)i * look, *end = j + look; j < end && left > 0; j++) {
                int taken = held[*j] < left ? held[*j] : left;
                votes += (2 * r->y[*j] - 1) * taken, left -= taken;
            }
            answers[(size_t)s * r->n + i] = votes > 0;
        }
    }
    free(far), free(away), free(unused), free(near), free(asked);
}

static Floats only(Ints yes, Floats a) { return (Floats)((Ints)a & yes); }

/* The split that makes the leaves purest, for every lane of held[row]: a row with `which` at most `cut` goes low. */
static void split(const Rows *r, const int *orders, const Floats *held, Floats *cut, Ints *which) {
    Floats none = {0}, all = none, high = none, best = none;
    Ints at = (Ints){0} - 1; /* place in the orders */
    for (int i = 0; i < r->n; i++) {
        all += held[i], high += held[i] * (float)r->y[i];
    }
    for (int f = 0; f < r->features; f++) {
        Floats count = none, ones = none;
        for (int place = f * r->n; place < (f + 1) * r->n; place++) {
            int i = orders[place];
            count += held[i], ones += held[i] * (float)r->y[i];
            Floats apart = ones * all - count * high, gain = apart * apart / (count * (all - count) + 1e-6f);
            Ints better = gain > best; /* the leaves are the purer the larger it is */
            best = only(better, gain) + only(~better, best);
            at = (better & place) | (at & ~better);
        }
    }
    for (int l = 0; l < LANES; l++) {
        (*which)[l] = at[l] < 0 ? 0 : at[l] / r->n;
        (*cut)[l] = at[l] < 0 ? FAR : r->x[(size_t)(*which)[l] * r->n + orders[at[l]]];
    }
}

typedef struct { Floats *low, *high; Ints *below, *above; } Branches;

/* Grow a tree of this depth on held[row] and answer the rows of inside[row]; `room` is for its branches. */
static void grow(const Rows *r, const int *orders, const Floats *held, const Ints *inside, int depth, Branches *room, Ints *made) {
    int n = r->n;
    if (depth == 0) {
        Floats sum = {0};
        for (int i = 0; i < n; i++) sum += held[i] * (2.0f * r->y[i] - 1);
        for (int i = 0; i < n; i++) made[i] |= inside[i] & (sum > 0);
        return;
    }
    Floats cut = {0};
    Ints which = {0};
    split(r, orders, held, &cut, &which);
    for (int i = 0; i < n; i++) {
        Ints goes = {0};
        for (int f = 0; f < r->features; f++) goes |= (which == f) & (r->x[(size_t)f * n + i] <= cut);
        room->low[i] = only(goes, held[i]), room->high[i] = only(~goes, held[i]);
        room->below[i] = inside[i] & goes, room->above[i] = inside[i] & ~goes;
    }
    grow(r, orders, room->low, room->below, depth - 1, room + 1, made);
    grow(r, orders, room->high, room->above, depth - 1, room + 1, made);
}

void tree(const Rows *r, const int *orders, int depth, byte *answers) {
    size_t lanes = (size_t)r->n * LANES;
    Floats *held = (Floats *)floats(lanes);
    Ints *inside = (Ints *)floats(lanes), *made = (Ints *)floats(lanes);
    Branches room[depth];
    for (int level = 0; level < depth; level++)
        room[level] = (Branches){(Floats *)floats(lanes), (Floats *)floats(lanes), (Ints *)floats(lanes), (Ints *)floats(lanes)};
    memset(inside, 255, sizeof(Ints) * r->n);
    for (int first = 0; first < r->sets; first += LANES) {
        int many = r->sets - first < LANES ? r->sets - first : LANES;
        memset(held, 0, sizeof(Floats) * r->n), memset(made, 0, sizeof(Ints) * r->n);
        for (int l = 0; l < many; l++)
            for (int i = 0; i < r->n; i++) held[i][l] = r->held[(size_t)(first + l) * r->n + i];
        grow(r, orders, held, inside, depth, room, made);
        for (int l = 0; l < many; l++)
            for (int i = 0; i < r->n; i++) answers[(size_t)(first + l) * r->n + i] = made[i][l] & 1;
    }
    for (int level = 0; level < depth; level++)
        free(room[level].low), free(room[level].high), free(room[level].below), free(room[level].above);
    free(held), free(inside), free(made);
}

/* A whole number below `below`, by SplitMix (Steele, Lea and Flood 2014). */
static uint32_t drawn(uint64_t *state, uint32_t below) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((z ^ (z >> 31)) >> 32) * (uint64_t)below >> 32;
}

/* Put each of the `times` rows of numbers, [time][place], into an order of its own. */
void shuffle(uint64_t state, int times, int many, int64_t *numbers) {
    for (int t = 0; t < times; t++, numbers += many)
        for (int i = many - 1; i > 0; i--) {
            int j = drawn(&state, i + 1);
            int64_t kept = numbers[i];
            numbers[i] = numbers[j], numbers[j] = kept;
        }
}
