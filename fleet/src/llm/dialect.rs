//! The parts of the protocol that a server supports.

/// Bytes of an error message to search for the name of the refused field.
const REFUSAL_BYTES: usize = 16 << 10;
/// Maximum adaptations of one call. Each removes a part of the request that the server refused.
pub(super) const ADAPTATIONS: u32 = 9;

/// The two protocols of OpenAI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    /// `POST /chat/completions`, which nearly every server implements.
    Chat,
    /// `POST /responses`, which some hosted models require.
    Responses,
}

impl Api {
    /// Returns the path of the protocol's calls, relative to the base URL.
    pub fn path(self) -> &'static str {
        match self {
            Self::Chat => "chat/completions",
            Self::Responses => "responses",
        }
    }
}

/// How a request describes the form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// As a schema that the server enforces.
    Schema,
    /// As JSON mode, with the schema in the prompt.
    Object,
    /// In the prompt only.
    Words,
}

/// The parts of the protocol that a server supports. Servers differ: some lack schemas, seeds or streams, hosted
/// reasoning models refuse a temperature, and the field for the maximum answer length was renamed. The first call uses
/// everything. Each refusal removes the part that the server names, and later calls use the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub api: Api,
    pub form: Telling,
    /// `max_completion_tokens` instead of `max_tokens`.
    pub renamed: bool,
    pub temperature: bool,
    pub seed: bool,
    /// Whether answers are streamed.
    pub stream: bool,
    /// Whether a streamed answer requests its token counts.
    pub counts: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            api: Api::Chat,
            form: Telling::Schema,
            renamed: false,
            temperature: true,
            seed: true,
            stream: true,
            counts: true,
        }
    }
}

impl Dialect {
    /// Returns the dialect without the part that a server refused, judged by its status and message; `None` if nothing
    /// is left to remove. `schema` says whether the refused call requested a form.
    pub fn without_what_is_refused(self, status: u16, said: &[u8], schema: bool) -> Option<Self> {
        if !matches!(status, 400 | 404 | 405 | 415 | 422 | 500 | 501) {
            return None;
        }
        // Removes the backslashes of a message quoted within JSON.
        let said = String::from_utf8_lossy(&said[..said.len().min(REFUSAL_BYTES)]).to_lowercase().replace('\\', "");
        let names = |what: &str| said.contains(what);
        if self.api == Api::Chat && names("v1/responses") {
            return Some(Self { api: Api::Responses, ..self });
        }
        // An unknown path rather than an unknown model: the server may have the other protocol's path.
        if self.api == Api::Chat && matches!(status, 404 | 405) && !names("model") && !names("tag") {
            return Some(Self { api: Api::Responses, ..self });
        }
        if names("max_completion_tokens") && !self.renamed && self.api == Api::Chat {
            return Some(Self { renamed: true, ..self });
        }
        if names("temperature") && self.temperature {
            return Some(Self { temperature: false, ..self });
        }
        if self.seed && ["'seed'", "\"seed\"", " seed "].into_iter().any(names) {
            return Some(Self { seed: false, ..self });
        }
        if names("stream_options") && self.counts && self.stream {
            return Some(Self { counts: false, ..self });
        }
        if self.stream && names("stream") {
            return Some(Self { stream: false, ..self });
        }
        if !schema {
            return None;
        }
        // Not every server names what it does not support. Against an unknown model or path, another form does not
        // help.
        let form = ["response_format", "json_schema", "json_object", "schema", "grammar"].into_iter().any(names);
        match (self.form, form || matches!(status, 400 | 415 | 422)) {
            (Telling::Schema, true) => Some(Self { form: Telling::Object, ..self }),
            (Telling::Object, true) => Some(Self { form: Telling::Words, ..self }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(dialect: Dialect, status: u16, said: &str) -> Option<Dialect> {
        dialect.without_what_is_refused(status, said.as_bytes(), true)
    }

    /// Error messages of OpenAI, Mistral, Google, vLLM, llama.cpp, Ollama and Anthropic.
    #[test]
    fn what_a_server_refuses_is_removed() {
        let whole = Dialect::default();
        let cases = [
            (
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Dialect { renamed: true, ..whole },
            ),
            (
                400,
                "Unsupported value: 'temperature' does not support 0 with this model.",
                Dialect { temperature: false, ..whole },
            ),
            (
                400,
                "[{\"error\": {\"code\": 400, \"message\": \"Invalid JSON payload received. Unknown name \\\"seed\\\": Cannot find field.\"}}]",
                Dialect { seed: false, ..whole },
            ),
            (
                422,
                "{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"stream_options\"],\"msg\":\"Extra inputs are not permitted\"}]}",
                Dialect { counts: false, ..whole },
            ),
            (400, "streaming is not supported by this server", Dialect { stream: false, ..whole }),
            (
                404,
                "This model is only supported in v1/responses and not in v1/chat/completions.",
                Dialect { api: Api::Responses, ..whole },
            ),
            (404, "404 page not found", Dialect { api: Api::Responses, ..whole }),
            (400, "response_format json_schema is not supported", Dialect { form: Telling::Object, ..whole }),
            (500, "failed to parse grammar", Dialect { form: Telling::Object, ..whole }),
        ];
        for (status, said, expected) in cases {
            assert_eq!(refused(whole, status, said), Some(expected), "{said}");
        }
        let object = Dialect { form: Telling::Object, ..whole };
        assert_eq!(refused(object, 400, "?").unwrap().form, Telling::Words);
        assert_eq!(refused(Dialect { form: Telling::Words, ..whole }, 400, "?"), None);
    }

    #[test]
    fn another_form_helps_only_calls_that_have_one() {
        assert_eq!(Dialect::default().without_what_is_refused(400, b"the prompt is too long", false), None);
    }

    #[test]
    fn what_no_change_can_cure_stays_an_error() {
        for status in [401, 403, 404, 429, 500, 503] {
            assert_eq!(refused(Dialect::default(), status, "The model does not exist"), None, "{status}");
        }
    }

    #[test]
    fn refusals_come_to_an_end() {
        let everything = "v1/responses max_completion_tokens temperature 'seed' stream_options stream response_format";
        let (mut dialect, mut steps) = (Dialect::default(), 0);
        while let Some(next) = refused(dialect, 400, everything) {
            (dialect, steps) = (next, steps + 1);
            assert!(steps <= ADAPTATIONS);
        }
    }
}
