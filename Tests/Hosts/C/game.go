import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// A purchase in two steps, from Go: structs, an amount by value, texts that the library gives, and the app's calls.
func main() {
	var texts []unsafe.Pointer
	text := func(content string) *C.char {
		made := C.CString(content)
		texts = append(texts, unsafe.Pointer(made))
		return made
	}
	expect := func(what string, status C.skan_status) {
		if status != C.SKAN_OK {
			fmt.Println("FAILED cgo:", what, C.GoString(C.skan_status_name(status)))
			os.Exit(1)
		}
	}
	options := C.skan_options{endpoint_url: text("https://skan.example.com"), bundle_id: text("com.example.game")}
	options.size = C.size_t(unsafe.Sizeof(options))
	var engine *C.skan_engine
	expect("create", C.skan_create(&options, &engine, nil))
	install := text("player-1")
	expect("register", C.skan_register(engine, install, nil, nil, nil))
	amount := C.skan_amount{text: text("0.10")}
	expect("revenue", C.skan_update_revenue(engine, install, amount, text("USD"), C.SKAN_AD, nil, nil))

	event := (*C.skan_event)(C.calloc(1, C.sizeof_skan_event))
	texts = append(texts, unsafe.Pointer(event))
	event.size = C.sizeof_skan_event
	event.name, event.event_id = text("purchase"), text("order-1")
	event.amount.text, event.currency = text("4.99"), text("USD")
	var url *C.char
	var ticket C.uint64_t
	expect("request", C.skan_conversion_request(engine, install, event, &url, &ticket, nil))
	C.skan_free(unsafe.Pointer(url))
	body := text(`{"conversion_value": 5}`)
	expect("apply", C.skan_apply_response(engine, install, event, ticket, unsafe.Pointer(body), 23, nil, nil))

	var json *C.char
	expect("calls", C.skan_pending_calls_json(engine, install, nil, &json, nil))
	calls := C.GoString(json)
	C.skan_free(unsafe.Pointer(json))
	if !strings.Contains(calls, `"fine_value":5,`) {
		fmt.Println("FAILED cgo: calls are", calls)
		os.Exit(1)
	}
	C.skan_destroy(engine)
	for _, each := range texts {
		C.free(each)
	}
	fmt.Println("cgo: a purchase in two steps, libskan", C.GoString(C.skan_version()))
}
