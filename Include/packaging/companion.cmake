# skan::@NAME@, the shared library, and skan::@NAME@-static.
if(NOT TARGET skan::@NAME@)
  add_library(skan::@NAME@ SHARED IMPORTED)
  set_target_properties(skan::@NAME@ PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/@LIBDIR@/libskan-@NAME@.so"
    IMPORTED_SONAME "libskan-@NAME@.so.@ABI@"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include"
    INTERFACE_LINK_LIBRARIES skan::skan)

  add_library(skan::@NAME@-static STATIC IMPORTED)
  set_target_properties(skan::@NAME@-static PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/@LIBDIR@/libskan-@NAME@.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include"
    INTERFACE_LINK_LIBRARIES "skan::static;@CMAKE_LIBS@;Threads::Threads")
endif()
