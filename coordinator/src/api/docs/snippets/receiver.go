package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	secret = "whsec_YOUR_SECRET"
	port   = "8080"
)

func isGenuine(signature string, body []byte) bool {
	parts := map[string][]string{}
	for _, part := range strings.Split(signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = append(parts[name], value)
	}
	if len(parts["t"]) != 1 {
		return false
	}
	sent := parts["t"][0]
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sent + "."))
	mac.Write(body)
	wanted := mac.Sum(nil)
	for _, v1 := range parts["v1"] {
		got, err := hex.DecodeString(v1)
		if err == nil && hmac.Equal(got, wanted) {
			return true
		}
	}
	return false
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !isGenuine(r.Header.Get("X-Vivid-Signature"), body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
