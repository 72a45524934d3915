# find_package(skan) gives skan::skan, the shared library, and skan::static; find_package(skan COMPONENTS sqlite store_kit)
# also skan::sqlite, skan::sqlite-static and skan::store_kit.
get_filename_component(_skan_prefix "${CMAKE_CURRENT_LIST_DIR}/../@UP@" ABSOLUTE)

if(NOT TARGET skan::skan)
  add_library(skan::skan SHARED IMPORTED)
  set_target_properties(skan::skan PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/@LIBDIR@/libskan.so"
    IMPORTED_SONAME "libskan.so.@ABI@"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include")
endif()

if(NOT TARGET skan::static)
  find_package(Threads REQUIRED)
  add_library(skan::static STATIC IMPORTED)
  set_target_properties(skan::static PROPERTIES
    IMPORTED_LOCATION "${_skan_prefix}/@LIBDIR@/libskan.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_skan_prefix}/include"
    INTERFACE_LINK_LIBRARIES "@CMAKE_LIBS@;Threads::Threads")
endif()

foreach(_skan_component IN LISTS skan_FIND_COMPONENTS)
  set(_skan_file "${CMAKE_CURRENT_LIST_DIR}/components/${_skan_component}.cmake")
  if(EXISTS "${_skan_file}")
    find_package(Threads REQUIRED)
    include("${_skan_file}")
    set(skan_${_skan_component}_FOUND TRUE)
  else()
    set(skan_${_skan_component}_FOUND FALSE)
    if(skan_FIND_REQUIRED_${_skan_component})
      set(skan_FOUND FALSE)
      set(skan_NOT_FOUND_MESSAGE "libskan is installed in ${_skan_prefix} without its component ${_skan_component}")
    endif()
  endif()
endforeach()

unset(_skan_file)
unset(_skan_component)
unset(_skan_prefix)
