"""The declarations of postback.h."""

from ctypes import POINTER, c_bool, c_char_p, c_int32, c_size_t, c_void_p

from ._companions import Companion
from ._library import Signatures, structure

NativePostbackKey = structure("skan_postback_key", "char_p name, spki; bool is_development", sets_size=False)
NativePostbackOptions = structure("skan_postback_options", "size_t size; void_p keys")
NativePostbackFields = structure(
    "skan_postback_fields",
    "size_t size; int32 framework, postback_sequence_index; char_p version, ad_network_id, transaction_id, "
    "source_identifier, source_domain, country_code, ad_interaction_type, key_id; "
    "int64* campaign_id, app_id, source_app_id, fidelity_type; int32 did_win, redownload, conversion_value, "
    "coarse_conversion_value, conversion_type, reserved; char_p unknown_type",
)
NativePostbackModel = structure("skan_postback_model", "int64 from_; void_p model", sets_size=False)
NativePostbackReceiverOptions = structure(
    "skan_postback_receiver_options",
    "size_t size; skan_store* store; skan_clock* clock; void_p keys; skan_postback_model* models; size_t model_count; "
    "skan_postback_model* reengagement_models; size_t reengagement_model_count; int64* app_ids; size_t app_id_count; "
    "char_p* ad_networks; size_t ad_network_count; uint64 refused_bytes_in_all",
)
NativePostbackReceipt = structure(
    "skan_postback_receipt",
    "size_t size; int32 outcome, result, decoding; bool is_kept; int64 received; char[80] key; char[72] model; "
    "char[128] problem_field; char[120] unknown_type; bool is_respelled",
)
NativePostbackRecord = structure(
    "skan_postback_record",
    "size_t size; int32 outcome, decoding; int64 received, installed_from, installed_until; char[72] model; "
    "char[136] network; int64 reengaged_from, reengaged_until",
)

_OUT = POINTER(c_void_p)
_LIST = POINTER(c_char_p)
_SIZE_OUT = POINTER(c_size_t)

_SIGNATURES: Signatures = {
    "skan_postback_keys_create": (c_int32, [POINTER(NativePostbackKey), c_size_t, _OUT, c_void_p]),
    "skan_postback_keys_destroy": (None, [c_void_p]),
    "skan_postback_verify": (c_int32, [c_char_p, c_size_t, POINTER(NativePostbackOptions), _OUT, c_void_p]),
    "skan_postback_destroy": (None, [c_void_p]),
    "skan_postback_result": (c_int32, [c_void_p]),
    "skan_postback_problem": (c_char_p, [c_void_p]),
    "skan_postback_problem_field": (c_char_p, [c_void_p]),
    "skan_postback_signed_fields": (_LIST, [c_void_p, _SIZE_OUT]),
    "skan_postback_is_respelled": (c_bool, [c_void_p]),
    "skan_postback_illegal_fields": (_LIST, [c_void_p, _SIZE_OUT]),
    "skan_postback_read": (c_int32, [c_void_p, POINTER(NativePostbackFields), c_void_p]),
    "skan_postback_record_key": (c_char_p, [c_void_p]),
    "skan_postback_body": (c_void_p, [c_void_p, _SIZE_OUT]),
    "skan_postback_canonical_body": (c_void_p, [c_void_p, _SIZE_OUT]),
    "skan_postback_json": (c_int32, [c_void_p, POINTER(c_char_p), c_void_p]),
    "skan_postback_receiver_create": (c_int32, [POINTER(NativePostbackReceiverOptions), _OUT, c_void_p]),
    "skan_postback_receiver_destroy": (None, [c_void_p]),
    "skan_postback_receive": (
        c_int32,
        [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(NativePostbackReceipt), c_void_p],
    ),
    "skan_postback_record_read": (c_int32, [c_char_p, c_size_t, POINTER(NativePostbackRecord), _OUT, c_void_p]),
}

LIBRARY = Companion("postback", _SIGNATURES, {"libcrypto.so.3": "libssl3"})
