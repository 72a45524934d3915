#include "money.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define ONE INT64_C(1000000000000)
#define WHOLE_DIGITS 15
/* Sums stay far enough below the type's range that each can be counted twice. */
#define LARGEST ((money)1 << 125)

static money power_of_ten(int exponent) {
    money power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

bool money_read(const char *text, money *amount) {
    size_t whole = strspn(text, "0123456789");
    const char *point = text + whole;
    size_t places = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    if (whole == 0 || whole > WHOLE_DIGITS || (*point == '.' && places == 0) || places > MONEY_PLACES) return false;
    if (point[*point == '.' ? places + 1 : 0] != '\0') return false;
    money units = 0;
    for (size_t index = 0; index < whole; index++) units = units * 10 + (text[index] - '0');
    for (size_t index = 0; index < MONEY_PLACES; index++) {
        int digit = index < places ? point[1 + index] - '0' : 0;
        units = units * 10 + digit;
    }
    *amount = units;
    return true;
}

bool money_add(money *sum, money amount) {
    if (amount > LARGEST - *sum) return false;
    *sum += amount;
    return true;
}

/* Whether whole + rest / under, half to even, is the next whole one. */
static bool goes_up(money whole, money rest, money under) {
    return rest > under - rest || (rest == under - rest && whole % 2 == 1);
}

static money half_even(money over, money under) {
    money whole = over / under;
    return whole + goes_up(whole, over % under, under);
}

bool money_share(money sum, uint64_t times, uint64_t parts, money *amount) {
    /* The whole part first: sum * times alone could leave the range. */
    money whole = sum / (money)parts;
    money rest = sum % (money)parts;
    if (times > 0 && (whole > LARGEST / (money)times || rest > LARGEST / (money)times)) return false;
    whole *= (money)times;
    rest *= (money)times;
    if (!money_add(&whole, rest / (money)parts)) return false;
    *amount = whole;
    return money_add(amount, goes_up(whole, rest % (money)parts, (money)parts));
}

static const char *write_units(money units, int places, char *text) {
    char digits[MONEY_TEXT_MAX];
    int count = 0;
    for (money left = units; left > 0 || count <= places; left /= 10) digits[count++] = (char)('0' + (int)(left % 10));
    size_t length = 0;
    while (count > 0) {
        text[length++] = digits[--count];
        if (count == places && places > 0) text[length++] = '.';
    }
    text[length] = '\0';
    return text;
}

const char *money_exact(money amount, char text[MONEY_TEXT_MAX]) {
    write_units(amount, MONEY_PLACES, text);
    size_t length = strlen(text);
    size_t least = length - MONEY_PLACES + 2;
    while (length > least && text[length - 1] == '0') text[--length] = '\0';
    return text;
}

const char *money_rounded(money amount, int places, char text[MONEY_TEXT_MAX]) {
    return write_units(half_even(amount, power_of_ten(MONEY_PLACES - places)), places, text);
}

const char *money_quotient(money over, money under, int places, char text[MONEY_TEXT_MAX]) {
    if (under == 0) return NULL;
    money scale = power_of_ten(places);
    /* Beyond this the places behind the point say nothing; the divisor is cut with the dividend. */
    while (over > LARGEST / scale && under > 1) {
        over /= 10;
        under = under / 10 > 0 ? under / 10 : 1;
    }
    if (over > LARGEST / scale) return NULL;
    return write_units(half_even(over * scale, under), places, text);
}
