"""The declarations of postback.h."""

from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint64, c_void_p

from ._companions import Companion
from ._library import NativeClock, NativeStore, NativeStructure, Signatures, members


class NativePostbackKey(Structure):
    """skan_postback_key."""

    _fields_ = members("char_p name, spki; bool is_development")


class NativePostbackOptions(NativeStructure):
    """skan_postback_options."""

    _fields_ = members("size_t size; void_p keys")


class NativePostbackFields(NativeStructure):
    """skan_postback_fields."""

    _fields_ = (
        *members("size_t size; int32 framework, postback_sequence_index; char_p version, ad_network_id"),
        *members("char_p transaction_id, source_identifier, source_domain, country_code, ad_interaction_type, key_id"),
        ("campaign_id", POINTER(c_int64)),
        ("app_id", POINTER(c_int64)),
        ("source_app_id", POINTER(c_int64)),
        ("fidelity_type", POINTER(c_int64)),
        *members("int32 did_win, redownload, conversion_value, coarse_conversion_value, conversion_type, reserved"),
        ("unknown_type", c_char_p),
    )


class NativePostbackModel(Structure):
    """skan_postback_model."""

    _fields_ = members("int64 from_; void_p model")


class NativePostbackReceiverOptions(NativeStructure):
    """skan_postback_receiver_options."""

    _fields_ = (
        ("size", c_size_t),
        ("store", POINTER(NativeStore)),
        ("clock", POINTER(NativeClock)),
        ("keys", c_void_p),
        ("models", POINTER(NativePostbackModel)),
        ("model_count", c_size_t),
        ("reengagement_models", POINTER(NativePostbackModel)),
        ("reengagement_model_count", c_size_t),
        ("app_ids", POINTER(c_int64)),
        ("app_id_count", c_size_t),
        ("ad_networks", POINTER(c_char_p)),
        ("ad_network_count", c_size_t),
        ("refused_bytes_in_all", c_uint64),
    )


class NativePostbackReceipt(NativeStructure):
    """skan_postback_receipt."""

    _fields_ = (
        *members("size_t size; int32 outcome, result, decoding; bool is_kept; int64 received"),
        ("key", c_char * 80),
        ("model", c_char * 72),
        ("problem_field", c_char * 128),
        ("unknown_type", c_char * 120),
        ("is_respelled", c_bool),
    )


class NativePostbackRecord(NativeStructure):
    """skan_postback_record."""

    _fields_ = (
        *members("size_t size; int32 outcome, decoding; int64 received, installed_from, installed_until"),
        ("model", c_char * 72),
        ("network", c_char * 136),
        *members("int64 reengaged_from, reengaged_until"),
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
    "skan_postback_result_name": (c_char_p, [c_int32]),
    "skan_postback_problem": (c_char_p, [c_void_p]),
    "skan_postback_problem_field": (c_char_p, [c_void_p]),
    "skan_postback_signed_fields": (_LIST, [c_void_p, _SIZE_OUT]),
    "skan_postback_is_respelled": (c_bool, [c_void_p]),
    "skan_postback_illegal_fields": (_LIST, [c_void_p, _SIZE_OUT]),
    "skan_postback_read": (c_int32, [c_void_p, POINTER(NativePostbackFields), c_void_p]),
    "skan_postback_conversion_type_name": (c_char_p, [c_int32]),
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
