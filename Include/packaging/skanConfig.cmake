# find_package(skan) gives skan::skan, the shared library, and skan::static.
get_filename_component(_skan_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET skan::skan)
  add_library(skan::skan SHARED IMPORTED)
  set_target_properties(skan::skan PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/lib/libskan.so"
    IMPORTED_SONAME "libskan.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include")
endif()

if(NOT TARGET skan::static)
  find_package(Threads REQUIRED)
  add_library(skan::static STATIC IMPORTED)
  set_target_properties(skan::static PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/lib/libskan.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include"
    INTERFACE_LINK_LIBRARIES "json-c;m;Threads::Threads")
endif()

unset(_skan_prefix)
