/* table.h - the table of measures, and the closing summary of their bars. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

typedef enum bar { BAR_NONE, BAR_AT_MOST, BAR_AT_LEAST } bar;

/* A line: both sides' values and one or two ratios, 0 = leave out. `judged` is what the bar is held against. */
typedef struct line {
    const char *name;
    double skan, plain, ratio, plain_ratio;
    double judged, limit;
    bar bar;
} line;

/* Starts a part of the table; `unit` is that of the two sides' columns, the ratios head the next two. */
void table_part(const char *title, const char *unit, const char *ratio, const char *plain_ratio);
/* Prints the line and keeps it for the summary, under the part's title. */
void table_line(line line);
void table_summary(void);

#endif
