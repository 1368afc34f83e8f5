/* Read 9x9 puzzles, one per line, and write a solution per line: backtracking over bit masks, fewest candidates first. */
#include <stdio.h>
#include <string.h>

static int row[9], col[9], box[9]; /* used digits, one bit each */
static int open_cells[81], n_open;
static char grid[82];

static int box_of(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

static int candidates(int cell) {
    return 0x1ff & ~(row[cell / 9] | col[cell % 9] | box[box_of(cell)]);
}

static void flip(int cell, int bit) {
    row[cell / 9] ^= bit;
    col[cell % 9] ^= bit;
    box[box_of(cell)] ^= bit;
}

/* Fill the cells from open_cells[filled] on; return 1 on success. */
static int fill(int filled) {
    if (filled == n_open) return 1;
    int best = filled, fewest = 10;
    for (int i = filled; i < n_open && fewest > 1; i++) {
        int n = __builtin_popcount(candidates(open_cells[i]));
        if (n < fewest) fewest = n, best = i;
    }
    int cell = open_cells[best];
    open_cells[best] = open_cells[filled];
    open_cells[filled] = cell;
    for (int left = candidates(cell); left; left &= left - 1) {
        int bit = left & -left;
        flip(cell, bit);
        grid[cell] = '1' + __builtin_ctz(bit);
        if (fill(filled + 1)) return 1;
        flip(cell, bit);
    }
    return 0;
}

/* Read the clues; return 0 if two of them clash. */
static int read_clues(const char *line) {
    memset(row, 0, sizeof row);
    memset(col, 0, sizeof col);
    memset(box, 0, sizeof box);
    n_open = 0;
    for (int cell = 0; cell < 81; cell++) {
        grid[cell] = line[cell];
        if (line[cell] == '.') {
            open_cells[n_open++] = cell;
            continue;
        }
        int bit = 1 << (line[cell] - '1');
        if (!(candidates(cell) & bit)) return 0;
        flip(cell, bit);
    }
    return 1;
}

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        if (strspn(line, ".123456789") == 81 && read_clues(line) && fill(0))
            puts(grid);
        else
            puts(""); /* no solution */
        fflush(stdout); /* the next puzzle is sent after this answer has arrived */
    }
    return 0;
}
