//! The protocol: requests in the dialect that a server understands, and answers.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Call, LlmError};

/// Bytes of a refusal that are looked at.
const REFUSAL_BYTES: usize = 16 << 10;

/// Tokens that a picture counts for until the server says what it counted.
const PICTURE_TOKENS: u64 = 2_000;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What the service wants.
    System,
    /// What it is about.
    User,
    /// What the model said.
    Assistant,
}

/// Something said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// By whom.
    pub role: Role,
    /// The words.
    pub text: String,
    /// A JPEG that goes with them, for models that see.
    pub picture: Option<Bytes>,
}

impl Turn {
    /// Words alone.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), picture: None }
    }
}

/// How a server wants to be told what form an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// By a schema that it keeps to.
    Schema,
    /// "JSON", and the schema in words.
    Object,
    /// In words alone.
    Words,
}

/// What of the protocol a server understands. Servers differ: some know no schemas, hosted models that reason refuse a
/// temperature, and the field for the longest answer was renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    form: Telling,
    /// `max_completion_tokens` instead of `max_tokens`.
    renamed: bool,
    temperature: bool,
    seed: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { form: Telling::Schema, renamed: false, temperature: true, seed: true }
    }
}

impl Dialect {
    /// Without what a server refused, by its status and what it said; `None` where nothing is left to leave out.
    pub fn without_what_is_refused(self, status: u16, said: &[u8]) -> Option<Self> {
        if !matches!(status, 400 | 404 | 415 | 422 | 500 | 501) {
            return None;
        }
        let said = String::from_utf8_lossy(&said[..said.len().min(REFUSAL_BYTES)]).to_lowercase();
        let names = |what: &str| said.contains(what);
        if names("max_completion_tokens") && !self.renamed {
            return Some(Self { renamed: true, ..self });
        }
        if names("temperature") && self.temperature {
            return Some(Self { temperature: false, ..self });
        }
        if self.seed && ["'seed'", "\"seed\"", " seed "].into_iter().any(names) {
            return Some(Self { seed: false, ..self });
        }
        // Not every server says what it is that it doesn't know. An unknown model or path is not cured by another form.
        let form = ["response_format", "json_schema", "json_object", "schema", "grammar"].into_iter().any(names);
        match (self.form, form || matches!(status, 400 | 415 | 422)) {
            (Telling::Schema, true) => Some(Self { form: Telling::Object, ..self }),
            (Telling::Object, true) => Some(Self { form: Telling::Words, ..self }),
            _ => None,
        }
    }
}

/// The body of a request.
pub(super) fn request(model: &str, call: Call<'_>, dialect: Dialect) -> Vec<u8> {
    let mut messages: Vec<Value> = call.turns.iter().map(message).collect();
    if let Some(form) = call.form.filter(|_| dialect.form != Telling::Schema) {
        let words = format!(
            "Answer with exactly one JSON object and nothing else, no prose and no fences. It has to be valid under this \
             JSON schema:\n{}",
            form.schema
        );
        // Behind the first words, in front of what is to be worked on.
        messages.insert(1.min(messages.len()), json!({ "role": "system", "content": words }));
    }
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert("messages".into(), json!(messages));
    body.insert("stream".into(), json!(false));
    let most = if dialect.renamed { "max_completion_tokens" } else { "max_tokens" };
    body.insert(most.into(), json!(call.max_tokens));
    if dialect.temperature {
        body.insert("temperature".into(), json!(0));
    }
    if dialect.seed {
        // Within what every server reads as an integer.
        body.insert("seed".into(), json!(call.seed % (1 << 31)));
    }
    let form = call.form.and_then(|form| match dialect.form {
        Telling::Schema => {
            let schema = json!({ "name": form.name, "strict": true, "schema": form.schema });
            Some(json!({ "type": "json_schema", "json_schema": schema }))
        }
        Telling::Object => Some(json!({ "type": "json_object" })),
        Telling::Words => None,
    });
    body.extend(form.map(|form| ("response_format".to_owned(), form)));
    Value::Object(body).to_string().into_bytes()
}

fn message(turn: &Turn) -> Value {
    let role = match turn.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let content = match &turn.picture {
        None => json!(turn.text),
        Some(picture) => {
            let url = format!("data:image/jpeg;base64,{}", STANDARD.encode(picture));
            json!([{ "type": "text", "text": turn.text }, { "type": "image_url", "image_url": { "url": url } }])
        }
    };
    json!({ "role": role, "content": content })
}

/// Tokens that a request of `bytes` may cost by itself, some three bytes a token. What a picture costs depends on its size
/// for the model, not on its bytes.
pub(super) fn estimate(bytes: usize, turns: &[Turn]) -> u64 {
    let pictures: Vec<usize> = turns.iter().filter_map(|turn| Some(turn.picture.as_ref()?.len())).collect();
    let encoded: usize = pictures.iter().map(|length| length.div_ceil(3) * 4).sum();
    bytes.saturating_sub(encoded) as u64 / 3 + PICTURE_TOKENS * pictures.len() as u64
}

/// What a model said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its words, or why they are of no use.
    pub said: Result<String, LlmError>,
    /// What it cost, where the server says so.
    pub tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Content,
    refusal: Option<String>,
}

/// Words, or parts of which some are words.
#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Content {
    #[default]
    Nothing,
    Words(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
}

/// Reads the body of a good answer.
///
/// # Errors
/// [`LlmError::Malformed`].
pub(super) fn answer(body: &[u8]) -> Result<Answer, LlmError> {
    let body: Body = serde_json::from_slice(body).map_err(|_| LlmError::Malformed("not its JSON"))?;
    let tokens = body.usage.and_then(|u| u.total_tokens);
    let choice = body.choices.into_iter().next().ok_or(LlmError::Malformed("no choice"))?;
    let said = match choice.message.content {
        Content::Nothing => String::new(),
        Content::Words(words) => words,
        Content::Parts(parts) => parts.into_iter().map(|p| p.text).collect(),
    };
    let refused = choice.message.refusal.is_some_and(|r| !r.trim().is_empty());
    let said = match choice.finish_reason.as_deref() {
        Some("length") => Err(LlmError::CutOff),
        Some("content_filter") => Err(LlmError::Declined),
        _ if refused => Err(LlmError::Declined),
        _ if said.trim().is_empty() => Err(LlmError::Malformed("no words")),
        _ => Ok(said),
    };
    Ok(Answer { said, tokens })
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::*;

    fn turns() -> Vec<Turn> {
        vec![Turn::new(Role::System, "You write."), Turn::new(Role::User, "Tides \"rise\".")]
    }

    fn body(dialect: Dialect) -> Value {
        let schema = json!({"type": "object"});
        let turns = turns();
        let form = Some(Form { name: "outline", schema: &schema });
        let call = Call { turns: &turns, form, max_tokens: 9, seed: u64::MAX };
        serde_json::from_slice(&request("m", call, dialect)).unwrap()
    }

    #[test]
    fn a_request_says_the_form_in_the_words_of_its_dialect() {
        let whole = body(Dialect::default());
        assert_eq!(whole["response_format"]["json_schema"]["schema"], json!({"type": "object"}));
        assert_eq!(whole["messages"][1], json!({"role": "user", "content": "Tides \"rise\"."}));
        assert_eq!((&whole["max_tokens"], &whole["temperature"]), (&json!(9), &json!(0)));
        assert!(whole["seed"].as_u64().unwrap() < 1 << 31);
        let bare = body(Dialect { form: Telling::Words, renamed: true, temperature: false, seed: false });
        for gone in ["response_format", "max_tokens", "temperature", "seed"] {
            assert!(bare.get(gone).is_none(), "{gone}");
        }
        assert_eq!(bare["max_completion_tokens"], 9);
        assert!(bare["messages"][1]["content"].as_str().unwrap().contains("JSON schema"));
        assert_eq!(bare["messages"][2]["role"], "user");
    }

    #[test]
    fn a_picture_stands_beside_the_words_and_counts_by_itself() {
        let turn = Turn { picture: Some(Bytes::from_static(b"jpeg")), ..Turn::new(Role::User, "Look.") };
        let content = message(&turn)["content"].clone();
        assert_eq!(content[0], json!({"type": "text", "text": "Look."}));
        assert_eq!(content[1]["image_url"]["url"], "data:image/jpeg;base64,anBlZw==");
        let large = Turn { picture: Some(Bytes::from(vec![0; 300_000])), ..turn };
        assert_eq!(estimate(403_000, &[large]), 3_000 / 3 + PICTURE_TOKENS);
    }

    #[test]
    fn what_a_server_refuses_is_left_out_and_nothing_twice() {
        let refused = |dialect: Dialect, status, said: &str| dialect.without_what_is_refused(status, said.as_bytes());
        let whole = Dialect::default();
        let renamed = refused(whole, 400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.");
        assert_eq!(renamed, Some(Dialect { renamed: true, ..whole }));
        let cold = refused(whole, 400, "'temperature' does not support 0 with this model");
        assert_eq!(cold, Some(Dialect { temperature: false, ..whole }));
        assert_eq!(refused(whole, 422, "extra field \"seed\""), Some(Dialect { seed: false, ..whole }));
        let object = refused(whole, 400, "response_format json_schema is not supported").unwrap();
        assert_eq!(object.form, Telling::Object);
        assert_eq!(refused(object, 400, "?").unwrap().form, Telling::Words);
        assert_eq!(refused(Dialect { form: Telling::Words, ..whole }, 400, "?"), None);
        for status in [401, 403, 404, 429, 500, 503] {
            assert_eq!(refused(whole, status, "The model does not exist"), None, "{status}");
        }
        // However it refuses, it comes to an end.
        let mut dialect = whole;
        let mut steps = 0;
        while let Some(next) = refused(dialect, 400, "max_completion_tokens temperature response_format") {
            (dialect, steps) = (next, steps + 1);
            assert!(steps <= super::super::ADAPTATIONS);
        }
    }

    #[test]
    fn answers_are_read_and_faults_named() {
        let said = |text: &str| answer(text.as_bytes()).map(|a| a.said);
        let good = r#"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",
            "content":"{}","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,
            "completion_tokens":1,"total_tokens":10}}"#;
        assert_eq!(answer(good.as_bytes()), Ok(Answer { said: Ok("{}".into()), tokens: Some(10) }));
        let parts = r#"{"choices":[{"message":{"content":[{"type":"text","text":"{"},{"type":"text","text":"}"}]}}]}"#;
        assert_eq!(said(parts), Ok(Ok("{}".into())));
        let cut = r#"{"choices":[{"message":{"content":"{"},"finish_reason":"length"}]}"#;
        assert_eq!(said(cut), Ok(Err(LlmError::CutOff)));
        let no = r#"{"choices":[{"message":{"content":null,"refusal":"I can't."},"finish_reason":"stop"}]}"#;
        assert_eq!(said(no), Ok(Err(LlmError::Declined)));
        let filtered = r#"{"choices":[{"message":{"content":"x"},"finish_reason":"content_filter"}]}"#;
        assert_eq!(said(filtered), Ok(Err(LlmError::Declined)));
        let empty = r#"{"choices":[{"message":{"content":" "}}]}"#;
        assert_eq!(said(empty), Ok(Err(LlmError::Malformed("no words"))));
        for broken in ["", "null", "[]", "<html>", r#"{"choices":[]}"#, r#"{"error":"x"}"#, r#"{"choices":[{}]}"#] {
            assert!(matches!(said(broken), Err(LlmError::Malformed(_))), "{broken}");
        }
    }
}
