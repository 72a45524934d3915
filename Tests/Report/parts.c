/* Parts of skan report by themselves: a question a line, an answer a line. Amounts are in units of 10^-12. */
#include "../../Sources/Report/csv.h"
#include "../../Sources/Report/money.h"
#include "../../Sources/Report/seen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static money units(const char *digits) {
    money sum = 0;
    for (; *digits; digits++) sum = sum * 10 + (*digits - '0');
    return sum;
}

static void print_units(money amount) {
    char digits[MONEY_TEXT_MAX] = "";
    size_t place = sizeof digits - 1;
    do digits[--place] = (char)('0' + (int)(amount % 10));
    while ((amount /= 10) > 0);
    puts(digits + place);
}

/* The cell that stands there in hexadecimal digits, as it is written, in such digits. */
static void print_csv(const char *digits) {
    char cell[64] = "", written[160] = "";
    for (size_t place = 0; digits[place * 2] && place + 1 < sizeof cell; place++) {
        unsigned byte = 0;
        sscanf(digits + place * 2, "%2x", &byte);
        cell[place] = (char)byte;
    }
    FILE *memory = fmemopen(written, sizeof written, "w");
    csv_write(memory, cell);
    fclose(memory);
    for (size_t place = 0; written[place]; place++) printf("%02x", (unsigned char)written[place]);
    putchar('\n');
}

int main(void) {
    char word[16], first[128], second[128], third[128], text[MONEY_TEXT_MAX];
    seen *seen = seen_create();
    while (scanf("%15s %127s %127s %127s", word, first, second, third) == 4) {
        bool is_amount = strcmp(word, "read") != 0 && strcmp(word, "seen") != 0 && strcmp(word, "csv") != 0;
        money amount = units(is_amount ? first : "0");
        uint64_t number = 0, parts = 0;
        sscanf(second, "%" SCNu64, &number);
        sscanf(third, "%" SCNu64, &parts);
        if (strcmp(word, "read") == 0) {
            if (money_read(first, &amount)) print_units(amount);
            else puts("no");
        } else if (strcmp(word, "share") == 0) {
            if (money_share(amount, number, parts, &amount)) print_units(amount);
            else puts("no");
        } else if (strcmp(word, "add") == 0) {
            if (money_add(&amount, units(second))) print_units(amount);
            else puts("no");
        } else if (strcmp(word, "quotient") == 0) {
            const char *quotient = money_quotient(amount, units(second), (int)parts, text);
            puts(quotient ? quotient : "no");
        } else if (strcmp(word, "rounded") == 0) {
            puts(money_rounded(amount, (int)number, text));
        } else if (strcmp(word, "csv") == 0) {
            print_csv(first);
        } else if (strcmp(word, "exact") == 0) {
            puts(money_exact(amount, text));
        } else {
            puts(seen_add(seen, first) ? "new" : "old");
        }
    }
    seen_destroy(seen);
    return 0;
}
