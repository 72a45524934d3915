#include "model_time.h"

#include <ctype.h>
#include <stddef.h>

/* Takes so many digits off the text. */
static bool take_number(const char **text, int digits, int64_t *number) {
    *number = 0;
    for (int index = 0; index < digits; index++, ++*text) {
        if (!isdigit((unsigned char)**text)) return false;
        *number = *number * 10 + (**text - '0');
    }
    return true;
}

static bool take_byte(const char **text, char byte) {
    if (**text != byte) return false;
    ++*text;
    return true;
}

static bool is_leap(int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t days_of_month(int64_t year, int64_t month) {
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days since 1970-01-01, from the year 1 on. */
static int64_t days_until(int64_t year, int64_t month, int64_t day) {
    int64_t before = year - 1;
    int64_t days = before * 365 + before / 4 - before / 100 + before / 400 - 719162;
    for (int64_t past = 1; past < month; past++) days += days_of_month(year, past);
    return days + day - 1;
}

static bool take_date(const char **text, int64_t *days) {
    int64_t year, month, day;
    if (!take_number(text, 4, &year) || !take_byte(text, '-') || !take_number(text, 2, &month) ||
        !take_byte(text, '-') || !take_number(text, 2, &day))
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_of_month(year, month)) return false;
    *days = days_until(year, month, day);
    return true;
}

static bool take_time(const char **text, int64_t *seconds) {
    int64_t hour, minute, second;
    if (!take_number(text, 2, &hour) || !take_byte(text, ':') || !take_number(text, 2, &minute) ||
        !take_byte(text, ':') || !take_number(text, 2, &second))
        return false;
    if (**text == '.') {
        if (!isdigit((unsigned char)*++*text)) return false;
        while (isdigit((unsigned char)**text)) ++*text;
    }
    *seconds = (hour * 60 + minute) * 60 + second;
    return hour < 24 && minute < 60 && second < 60;
}

/* Seconds that local time is ahead of UTC. */
static bool take_offset(const char **text, int64_t *ahead) {
    *ahead = 0;
    if (take_byte(text, 'Z')) return true;
    int64_t sign = **text == '-' ? -1 : 1;
    int64_t hours, minutes;
    if (!take_byte(text, '+') && !take_byte(text, '-')) return false;
    if (!take_number(text, 2, &hours)) return false;
    take_byte(text, ':');
    if (!take_number(text, 2, &minutes) || hours > 23 || minutes > 59) return false;
    *ahead = sign * (hours * 60 + minutes) * 60;
    return true;
}

bool model_time_read(const char *text, int64_t *seconds) {
    int64_t days, time, ahead;
    if (!take_date(&text, &days) || (!take_byte(&text, 'T') && !take_byte(&text, ' ')) || !take_time(&text, &time) ||
        !take_offset(&text, &ahead) || *text)
        return false;
    *seconds = days * 86400 + time - ahead;
    return *seconds >= 0 && *seconds <= MODEL_TIME_MAX;
}
