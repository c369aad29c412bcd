//! Parses answers of both protocols that arrive as one JSON object.

use serde::Deserialize;

use super::dialect::Api;
use super::error::LlmError;

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Answer {
    /// Its text.
    pub text: String,
    /// Whether the model stopped by itself.
    pub whole: bool,
    /// The server's counts; `None` where it reports none.
    pub usage: Option<Usage>,
}

/// Tokens and price as a server reports them. Chat completions and Responses name the same counts differently.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
pub(super) struct Usage {
    #[serde(default, alias = "prompt_tokens")]
    pub input_tokens: u64,
    #[serde(default, alias = "completion_tokens")]
    pub output_tokens: u64,
    /// US dollars, where the server bills by call (OpenRouter).
    pub cost: Option<f64>,
}

/// An error that a server sends with a success status, as the whole body or within a stream.
#[derive(Debug, Deserialize)]
pub(super) struct Refusal {
    /// An HTTP status, or a name.
    #[serde(default)]
    pub code: serde_json::Value,
}

impl Refusal {
    pub fn error(&self) -> LlmError {
        let status = self.code.as_u64().and_then(|code| u16::try_from(code).ok());
        status.filter(|s| (400..600).contains(s)).map_or(LlmError::Malformed("an error"), LlmError::Status)
    }
}

/// Parses the body of a successful answer.
///
/// # Errors
/// [`LlmError::Malformed`], [`LlmError::Declined`], [`LlmError::Status`] for an error with a success status, and
/// [`LlmError::CutOff`] where the answer reached its limit before any text.
pub(super) fn read(api: Api, body: &[u8]) -> Result<Answer, LlmError> {
    let answer = match api {
        Api::Chat => chat(body)?,
        Api::Responses => responses(serde_json::from_slice(body).map_err(|_| LlmError::Malformed("invalid JSON"))?)?,
    };
    answer.checked()
}

impl Answer {
    /// Returns the answer, or an error if it has no text.
    pub fn checked(self) -> Result<Self, LlmError> {
        match (self.text.trim().is_empty(), self.whole) {
            (true, true) => Err(LlmError::Malformed("no words")),
            (true, false) => Err(LlmError::CutOff),
            (false, _) => Ok(self),
        }
    }
}

/// Returns whether an answer that ended for `reason` is complete.
pub(super) fn ended(reason: Option<&str>) -> Result<bool, LlmError> {
    match reason {
        Some("length" | "max_output_tokens" | "max_tokens") => Ok(false),
        Some("content_filter") => Err(LlmError::Declined),
        _ => Ok(true),
    }
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
    error: Option<Refusal>,
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

/// Text, or a list of parts, some of which are text.
#[derive(Deserialize, Default)]
#[serde(untagged)]
pub(super) enum Content {
    #[default]
    Nothing,
    Words(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    text: String,
}

impl Content {
    pub fn text(self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Words(words) => words,
            Self::Parts(parts) => parts.into_iter().map(|part| part.text).collect(),
        }
    }
}

fn chat(body: &[u8]) -> Result<Answer, LlmError> {
    let body: Body = serde_json::from_slice(body).map_err(|_| LlmError::Malformed("invalid JSON"))?;
    if let Some(refusal) = body.error {
        return Err(refusal.error());
    }
    let choice = body.choices.into_iter().next().ok_or(LlmError::Malformed("no choice"))?;
    if choice.message.refusal.is_some_and(|refusal| !refusal.trim().is_empty()) {
        return Err(LlmError::Declined);
    }
    let whole = ended(choice.finish_reason.as_deref())?;
    Ok(Answer { text: choice.message.content.text(), whole, usage: body.usage })
}

/// A response object: the body of an answer, or the last event of a stream.
#[derive(Deserialize)]
pub(super) struct Response {
    #[serde(default)]
    output: Vec<Item>,
    usage: Option<Usage>,
    error: Option<Refusal>,
    incomplete_details: Option<Incomplete>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    content: Vec<ItemPart>,
}

#[derive(Deserialize)]
struct ItemPart {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Incomplete {
    reason: Option<String>,
}

/// Extracts the answer from a response object.
pub(super) fn responses(response: Response) -> Result<Answer, LlmError> {
    if let Some(refusal) = response.error {
        return Err(refusal.error());
    }
    let parts = || response.output.iter().flat_map(|item| &item.content);
    if parts().any(|part| part.r#type == "refusal") {
        return Err(LlmError::Declined);
    }
    let whole = match &response.incomplete_details {
        Some(incomplete) => ended(incomplete.reason.as_deref())? && incomplete.reason.is_none(),
        None => true,
    };
    let text = parts().filter(|part| part.r#type == "output_text").map(|part| part.text.as_str()).collect();
    Ok(Answer { text, whole, usage: response.usage })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(String, bool), LlmError> {
        read(Api::Chat, text.as_bytes()).map(|answer| (answer.text, answer.whole))
    }

    #[test]
    fn chat_answers_are_read_and_faults_named() {
        let good = r#"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",
            "content":"{}","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,
            "completion_tokens":1,"total_tokens":10}}"#;
        let usage = Some(Usage { input_tokens: 9, output_tokens: 1, cost: None });
        assert_eq!(read(Api::Chat, good.as_bytes()), Ok(Answer { text: "{}".into(), whole: true, usage }));
        let parts = r#"{"choices":[{"message":{"content":[{"type":"text","text":"{"},{"type":"text","text":"}"}]}}]}"#;
        assert_eq!(parsed(parts), Ok(("{}".into(), true)));
        let cut =
            |words: &str| format!(r#"{{"choices":[{{"message":{{"content":"{words}"}},"finish_reason":"length"}}]}}"#);
        assert_eq!(parsed(&cut("<page>")), Ok(("<page>".into(), false)));
        assert_eq!(parsed(&cut("")), Err(LlmError::CutOff));
        let no = r#"{"choices":[{"message":{"content":null,"refusal":"I can't."},"finish_reason":"stop"}]}"#;
        assert_eq!(parsed(no), Err(LlmError::Declined));
        let filtered = r#"{"choices":[{"message":{"content":"x"},"finish_reason":"content_filter"}]}"#;
        assert_eq!(parsed(filtered), Err(LlmError::Declined));
        let empty = r#"{"choices":[{"message":{"content":" "}}]}"#;
        assert_eq!(parsed(empty), Err(LlmError::Malformed("no words")));
        // OpenRouter reports its provider's error with status 200.
        assert_eq!(parsed(r#"{"error":{"code":429,"message":"busy"}}"#), Err(LlmError::Status(429)));
        for broken in ["", "null", "[]", "<html>", r#"{"choices":[]}"#, r#"{"error":"x"}"#, r#"{"choices":[{}]}"#] {
            assert!(matches!(parsed(broken), Err(LlmError::Malformed(_))), "{broken}");
        }
    }

    #[test]
    fn responses_are_read_and_faults_named() {
        let parsed = |text: &str| read(Api::Responses, text.as_bytes()).map(|answer| (answer.text, answer.whole));
        let good = r#"{"id":"r","status":"completed","output":[{"type":"reasoning","summary":[]},{"type":"message",
            "content":[{"type":"output_text","text":"{}","annotations":[]}]}],"incomplete_details":null,"error":null,
            "usage":{"input_tokens":9,"output_tokens":1,"total_tokens":10}}"#;
        assert_eq!(parsed(good), Ok(("{}".into(), true)));
        let usage = read(Api::Responses, good.as_bytes()).unwrap().usage.unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (9, 1));
        let cut = r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"message",
            "content":[{"type":"output_text","text":"<page>"}]}]}"#;
        assert_eq!(parsed(cut), Ok(("<page>".into(), false)));
        let no = r#"{"output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}"#;
        assert_eq!(parsed(no), Err(LlmError::Declined));
        assert_eq!(parsed(r#"{"output":[]}"#), Err(LlmError::Malformed("no words")));
        assert!(parsed(r#"{"error":{"code":"server_error","message":"x"}}"#).is_err());
    }
}
