#include "chart.h"

#include "../Command/memory.h"
#include "../Command/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_HEIGHT = 20, BAR_HEIGHT = 12, BAR_GAP = 3, ROW_GAP = 10, COLUMNS_HEIGHT = 160,
       VALUES_MAX = CHART_SERIES_MAX * (CHART_TEXT_MAX + 3), LONG_VALUES = 20 };
/* Of a drawing's width, on a page of 320 pixels. */
#define PERCENT_OF_A_DIGIT 3.5

chart_row *chart_add(chart *chart, const char *label) {
    if (chart->count == chart->room) {
        chart->room = chart->room ? chart->room * 2 : 32;
        chart->rows = memory_grow(chart->rows, chart->room * sizeof *chart->rows);
    }
    chart_row *row = &chart->rows[chart->count++];
    memset(row, 0, sizeof *row);
    row->label = memory_copy(label);
    return row;
}

void chart_note(chart_row *row, const char *note) {
    row->note = memory_copy(note);
}

void chart_free(chart *chart) {
    for (size_t index = 0; index < chart->count; index++) {
        free(chart->rows[index].label);
        free(chart->rows[index].note);
    }
    free(chart->rows);
    memset(chart, 0, sizeof *chart);
}

/* ----------------------------------------------------------------------------------------------------------- text */

void html_print(FILE *out, const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t scalar = 0;
        size_t length = text_scalar(bytes, left, &scalar);
        if (length == 0 || text_is_obeyed(scalar)) fputs("\xEF\xBF\xBD", out);
        else if (scalar == '&') fputs("&amp;", out);
        else if (scalar == '<') fputs("&lt;", out);
        else if (scalar == '>') fputs("&gt;", out);
        else if (scalar == '"') fputs("&quot;", out);
        else if (scalar == '\'') fputs("&#39;", out);
        else fwrite(bytes, 1, length, out);
        bytes += length ? length : 1;
        left -= length ? length : 1;
    }
}

/* -------------------------------------------------------------------------------------------------------- figures */

static void print_table(FILE *out, const chart *chart) {
    fputs("<details><summary>Figures of \xE2\x80\x9C", out);
    html_print(out, chart->title);
    fputs("\xE2\x80\x9D</summary><div class=\"wide\"><table><caption>", out);
    html_print(out, chart->title);
    fputs("</caption><thead><tr><th scope=\"col\">", out);
    html_print(out, chart->label_head);
    for (int series = 0; series < chart->series_count; series++) {
        fputs("</th><th scope=\"col\">", out);
        html_print(out, chart->series[series]);
    }
    if (chart->note_head) {
        fputs("</th><th scope=\"col\">", out);
        html_print(out, chart->note_head);
    }
    fputs("</th></tr></thead><tbody>\n", out);
    for (size_t index = 0; index < chart->count; index++) {
        const chart_row *row = &chart->rows[index];
        fputs("<tr><th scope=\"row\"><bdi>", out);
        html_print(out, row->label);
        fputs("</bdi></th>", out);
        for (int series = 0; series < chart->series_count; series++) {
            fputs("<td>", out);
            html_print(out, row->texts[series][0] ? row->texts[series] : "not known");
            fputs("</td>", out);
        }
        if (chart->note_head) {
            fputs("<td>", out);
            html_print(out, row->note ? row->note : "");
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}

/* Opens the figure and its drawing. */
static void begin(FILE *out, const chart *chart, size_t height) {
    fputs("<figure><figcaption>", out);
    html_print(out, chart->title);
    fputs("</figcaption>\n", out);
    if (chart->series_count > 1) {
        fputs("<p class=\"key\" aria-hidden=\"true\">", out);
        for (int series = 0; series < chart->series_count; series++) {
            fprintf(out, "<span><span class=\"k%d\"></span>", series);
            html_print(out, chart->series[series]);
            fputs("</span> ", out);
        }
        fputs("</p>\n", out);
    }
    fprintf(out, "<svg role=\"img\" aria-labelledby=\"%s-t\" aria-describedby=\"%s-d\" width=\"100%%\" height=\"%zu\">"
            "<title id=\"%s-t\">", chart->id, chart->id, height, chart->id);
    html_print(out, chart->title);
    fprintf(out, "</title><desc id=\"%s-d\">", chart->id);
    html_print(out, chart->description);
    fputs(" The figures are in the table below.</desc>\n", out);
}

static void end(FILE *out, const chart *chart) {
    fputs("</svg>\n", out);
    print_table(out, chart);
    fputs("</figure>\n", out);
}

static double whole_of(const chart *chart, const chart_row *row) {
    double sum = 0;
    for (int series = 0; series < chart->series_count; series++) sum += row->values[series];
    return sum;
}

/* The longest bar. */
static double largest(const chart *chart) {
    double most = 0;
    for (size_t index = 0; index < chart->count; index++) {
        double sum = chart->is_stacked ? whole_of(chart, &chart->rows[index]) : 0;
        for (int series = 0; series < chart->series_count && !chart->is_stacked; series++)
            if (chart->rows[index].values[series] > sum) sum = chart->rows[index].values[series];
        if (sum > most) most = sum;
    }
    return most;
}

static void write_values(const chart *chart, const chart_row *row, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int series = 0; series < chart->series_count && length < size; series++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", series > 0 ? " / " : "",
                                   row->texts[series][0] ? row->texts[series] : "-");
}

/* Figures that leave no room for a label on the narrowest page have a line of their own. */
static bool has_long_values(const chart *chart) {
    char text[VALUES_MAX];
    for (size_t index = 0; index < chart->count; index++) {
        write_values(chart, &chart->rows[index], text, sizeof text);
        if (strlen(text) > LONG_VALUES) return true;
    }
    return false;
}

static size_t height_of_words(const chart *chart) {
    return has_long_values(chart) ? 2 * TEXT_HEIGHT : TEXT_HEIGHT;
}

/* The label, which ends in an ellipsis before the figures where it is longer, and is all there under the pointer; SVG's
 * own text knows no ellipsis. And the figures. */
static void print_words(FILE *out, const chart *chart, const chart_row *row, size_t top) {
    char values[VALUES_MAX];
    bool is_long = has_long_values(chart);
    write_values(chart, row, values, sizeof values);
    double width = is_long ? 100 : 97 - (double)strlen(values) * PERCENT_OF_A_DIGIT;
    fprintf(out, "<foreignObject x=\"0\" y=\"%zu\" width=\"%.1f%%\" height=\"%d\"><div class=\"label\" title=\"",
            top, width, TEXT_HEIGHT);
    html_print(out, row->label);
    fputs("\"><bdi>", out);
    html_print(out, row->label);
    fprintf(out, "</bdi></div></foreignObject><text class=\"v\" x=\"100%%\" y=\"%zu\">",
            top + (is_long ? TEXT_HEIGHT : 0) + 14);
    html_print(out, values);
    fputs("</text>", out);
}

static void print_row(FILE *out, const chart *chart, const chart_row *row, size_t top, double most) {
    print_words(out, chart, row, top);
    top += height_of_words(chart);
    double whole = chart->is_whole ? whole_of(chart, row) : most;
    double left = 0;
    fprintf(out, "<rect class=\"b\" x=\"0\" y=\"%zu\" width=\"100%%\" height=\"%d\"/>", top,
            chart->is_stacked ? BAR_HEIGHT : chart->series_count * (BAR_HEIGHT + BAR_GAP) - BAR_GAP);
    for (int series = 0; series < chart->series_count; series++) {
        double width = whole > 0 ? row->values[series] / whole * 100 : 0;
        size_t y = top + (chart->is_stacked ? 0 : (size_t)series * (BAR_HEIGHT + BAR_GAP));
        if (width > 0)
            fprintf(out, "<rect class=\"s%d%s\" x=\"%.3f%%\" y=\"%zu\" width=\"%.3f%%\" height=\"%d\"/>", series,
                    chart->is_stacked ? " g" : "", left, y, width, BAR_HEIGHT);
        if (chart->is_stacked) left += width;
    }
    fputc('\n', out);
}

void chart_print_bars(FILE *out, const chart *chart) {
    size_t bars = chart->is_stacked ? 1 : (size_t)chart->series_count;
    size_t step = height_of_words(chart) + bars * (BAR_HEIGHT + BAR_GAP) + ROW_GAP;
    double most = largest(chart);
    begin(out, chart, chart->count * step);
    for (size_t index = 0; index < chart->count; index++)
        print_row(out, chart, &chart->rows[index], index * step, most);
    end(out, chart);
}

/* A label under its column; the first and the last stay within the drawing. */
static void print_tick(FILE *out, const chart *chart, size_t index, double width) {
    const char *anchor = index == 0 ? "start" : index + 1 == chart->count ? "end" : "middle";
    double place = index == 0 ? 0 : index + 1 == chart->count ? 100 : ((double)index + 0.5) * width;
    fprintf(out, "<text x=\"%.3f%%\" y=\"%d\" text-anchor=\"%s\">", place, TEXT_HEIGHT + COLUMNS_HEIGHT + 16, anchor);
    html_print(out, chart->rows[index].label);
    fputs("</text>", out);
}

void chart_print_columns(FILE *out, const chart *chart, size_t step) {
    double most = largest(chart), width = 100.0 / (double)(chart->count ? chart->count : 1);
    const char *most_text = "0";
    for (size_t index = 0; index < chart->count; index++)
        if (chart->rows[index].values[0] >= most) most_text = chart->rows[index].texts[0];
    begin(out, chart, TEXT_HEIGHT + COLUMNS_HEIGHT + 24);
    fputs("<text x=\"0\" y=\"14\">", out);
    html_print(out, most_text);
    fprintf(out,
            "</text><line x1=\"0\" y1=\"%d\" x2=\"100%%\" y2=\"%d\"/>"
            "<line x1=\"0\" y1=\"%d\" x2=\"100%%\" y2=\"%d\"/>\n",
            TEXT_HEIGHT, TEXT_HEIGHT, TEXT_HEIGHT + COLUMNS_HEIGHT, TEXT_HEIGHT + COLUMNS_HEIGHT);
    for (size_t index = 0; index < chart->count; index++) {
        double height = most > 0 ? chart->rows[index].values[0] / most * COLUMNS_HEIGHT : 0;
        fprintf(out, "<rect class=\"s0\" x=\"%.3f%%\" y=\"%.2f\" width=\"%.3f%%\" height=\"%.2f\"/>",
                ((double)index + 0.1) * width, TEXT_HEIGHT + COLUMNS_HEIGHT - height, width * 0.8, height);
        bool is_near_end = index + (step + 1) / 2 >= chart->count;
        if ((index % step == 0 && !is_near_end) || index + 1 == chart->count) print_tick(out, chart, index, width);
    }
    fputc('\n', out);
    end(out, chart);
}
