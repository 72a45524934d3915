/* Charts as inline SVG, each with a title, a description and a table of its figures. Nothing in them needs a script,
 * and their text keeps its size whatever the page's width is: places are percentages. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CHART_SERIES_MAX 3
#define CHART_TEXT_MAX 64

typedef struct chart_row {
    char *label;
    double values[CHART_SERIES_MAX];             /* for drawing alone */
    char texts[CHART_SERIES_MAX][CHART_TEXT_MAX]; /* what is said; "" = not known */
    char *note;                                  /* a last cell of the table; NULL = none */
} chart_row;

typedef struct chart {
    char id[24];             /* unique on the page */
    const char *title;
    const char *description; /* what a reader who does not see it needs to know of its form */
    const char *label_head;  /* of the table's first column */
    const char *note_head;   /* NULL = no such column */
    const char *series[CHART_SERIES_MAX];
    int series_count;
    bool is_stacked;         /* the series are parts of one sum, in one bar */
    bool is_whole;           /* with it: each sum is the whole bar */
    chart_row *rows;
    size_t count, room;
} chart;

/* A row of the chart with this label; its texts and values are to be filled in. */
chart_row *chart_add(chart *chart, const char *label);
void chart_note(chart_row *row, const char *note);

/* Bars from left to right, one under another. */
void chart_print_bars(FILE *out, const chart *chart);
/* Columns beside each other, of the first series; every `step`th is labelled. */
void chart_print_columns(FILE *out, const chart *chart, size_t step);

void chart_free(chart *chart);

/* Text for HTML. Marks of control and of the direction of writing become U+FFFD, and so does what is no UTF-8. */
void html_print(FILE *out, const char *text);

#endif
