/* What both frameworks' postbacks are read with. */
#include "postback.h"

#include <string.h>

void member_list_begin(member_list *list, arena *memory) {
    *list = (member_list){.memory = memory, .end = &list->first};
}

void member_list_add(void *context, const skan_json_member *told) {
    member_list *list = context;
    member *made = arena_take(list->memory, sizeof *made);
    span name = arena_copy(list->memory, told->key, told->key_length);
    span text = arena_copy(list->memory, told->text, told->text_length);
    if (!made || !name.start || !text.start) {
        list->is_out_of_memory = true;
        return;
    }
    *made = (member){NULL, name, text, told->kind};
    *list->end = made;
    list->end = &made->next;
}

void postback_find(skan_postback *postback, const member *members, const named_field *names, size_t count) {
    for (const member *each = members; each; each = each->next)
        for (size_t i = 0; i < count; i++)
            if (span_is(each->name, names[i].name)) postback->fields[names[i].field] = each;
}

bool postback_require(skan_postback *postback, field field, const char *name, field_type type, bool is_required) {
    const member *member = postback->fields[field];
    if (!member) {
        if (is_required) postback_refuse(postback, SKAN_POSTBACK_MALFORMED, name, "is missing");
        return !is_required;
    }
    const char *fault = value_fault(member, type, &postback->integers[field]);
    if (fault) {
        postback_refuse(postback, SKAN_POSTBACK_MALFORMED, name, fault);
        return false;
    }
    if (type == TYPE_TEXT)
        postback->has_text |= FIELD_BIT(field);
    else
        postback->has_integer |= FIELD_BIT(field);
    return true;
}

void postback_refuse(skan_postback *postback, int32_t result, const char *field, const char *problem) {
    postback->result = result;
    postback->problem_field = field;
    postback->problem = problem;
}

bool postback_is_proven(const skan_postback *postback) {
    return postback->result == SKAN_POSTBACK_VALID || postback->result == SKAN_POSTBACK_DEVELOPMENT;
}
