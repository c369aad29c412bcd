//! Parses answers of both protocols that arrive as a stream of server-sent events.
//!
//! Reading while the model writes keeps connections through proxies alive, limits the cost of an endless answer, and
//! keeps what a slow model has written when its time runs out. The parser reads only those fields of an event stream
//! that the protocols use.

use std::ops::ControlFlow;

use serde::Deserialize;

use super::answer::{self, Answer, Content, Refusal, Response, Usage};
use super::chat::tokens_of;
use super::dialect::Api;
use super::error::{ANSWER_BYTES, LlmError};

/// Maximum bytes of a stream. An event wraps each token in some hundred bytes of JSON.
const STREAM_BYTES: usize = 64 << 20;
/// Maximum bytes of a line. The last event of Responses repeats the whole answer.
const LINE_BYTES: usize = 2 * ANSWER_BYTES;
/// Maximum bytes of text per token. A server that sends more ignores the token limit.
const TOKEN_BYTES: usize = 16;
/// An answer whose last `LOOP_BYTES` bytes repeat one piece makes no progress: small models fall into such loops.
const LOOP_BYTES: usize = 1_536;
/// The longest repeated piece to detect.
const LOOP_PERIOD: usize = LOOP_BYTES / 4;

/// The part of a streamed answer that has arrived.
#[derive(Debug)]
pub(super) struct Stream {
    api: Api,
    /// Maximum bytes of text; the rest is cut off.
    limit: usize,
    read: usize,
    line: Vec<u8>,
    data: String,
    text: String,
    usage: Option<Usage>,
    /// Length of the text when it was last searched for a loop.
    searched: usize,
    end: Option<End>,
}

/// How a stream ended.
#[derive(Debug)]
enum End {
    /// The model stopped.
    Whole,
    /// The answer reached a limit of the server or of this client.
    Cut,
    Failed(LlmError),
}

impl Stream {
    /// Creates a stream for an answer of at most `max_tokens`.
    pub fn new(api: Api, max_tokens: u32) -> Self {
        let limit = (max_tokens as usize).saturating_mul(TOKEN_BYTES).min(ANSWER_BYTES);
        Self {
            api,
            limit,
            read: 0,
            line: Vec::new(),
            data: String::new(),
            text: String::new(),
            usage: None,
            searched: 0,
            end: None,
        }
    }

    /// Reads the next bytes. Breaks once the answer is over.
    pub fn take(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.read += bytes.len();
        if self.read > STREAM_BYTES {
            self.end = Some(End::Failed(LlmError::TooLarge));
            return ControlFlow::Break(());
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if self.line.len() > LINE_BYTES {
                self.end = Some(End::Failed(LlmError::TooLarge));
            } else if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.line(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']));
            }
            if matches!(self.end, Some(End::Failed(_))) || self.is_over() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the answer at the end of the stream.
    ///
    /// # Errors
    /// The [`LlmError`] that the server reported, or [`LlmError::Http`] for a stream that ended early.
    pub fn end(mut self) -> Result<Answer, LlmError> {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.line(String::from_utf8_lossy(&line).trim_end());
        }
        self.line("");
        let whole = match self.end {
            Some(End::Whole) => true,
            Some(End::Cut) => false,
            Some(End::Failed(error)) => return Err(error),
            None => return Err(LlmError::Http("the stream ended early".into())),
        };
        Answer { text: self.text, whole, usage: self.usage }.checked()
    }

    /// Returns the text that has arrived when the time is over; `None` if there is none.
    pub fn into_partial(self) -> Option<Answer> {
        let answer = Answer { text: self.text, whole: false, usage: self.usage };
        answer.checked().ok()
    }

    /// Estimates the tokens of the text so far.
    pub fn tokens(&self) -> u64 {
        tokens_of(self.text.len())
    }

    /// Returns whether the answer is over, and cuts off text beyond a limit.
    fn is_over(&mut self) -> bool {
        if self.text.len() > self.limit {
            self.text.truncate(self.text.floor_char_boundary(self.limit));
            self.end = Some(End::Cut);
            return true;
        }
        if self.text.len() >= self.searched + LOOP_BYTES / 2 {
            self.searched = self.text.len();
            if repeats(self.text.as_bytes()) {
                self.text.truncate(self.text.floor_char_boundary(self.text.len() - LOOP_BYTES));
                self.end = Some(End::Cut);
                return true;
            }
        }
        self.data == DONE
    }

    /// Parses one line: a field of an event, or the empty line that ends it.
    fn line(&mut self, line: &str) {
        if let Some(value) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(value.strip_prefix(' ').unwrap_or(value));
            if self.data == DONE {
                self.end.get_or_insert(End::Whole);
            }
        } else if line.is_empty() && !self.data.is_empty() && self.data != DONE {
            let data = std::mem::take(&mut self.data);
            let read = match self.api {
                Api::Chat => self.chunk(&data),
                Api::Responses => self.event(&data),
            };
            if let Err(error) = read {
                self.end = Some(End::Failed(error));
            }
        }
    }

    /// Parses a chunk of a chat completion.
    fn chunk(&mut self, data: &str) -> Result<(), LlmError> {
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| LlmError::Malformed("invalid event"))?;
        if let Some(refusal) = chunk.error {
            return Err(refusal.error());
        }
        self.usage = chunk.usage.or(self.usage);
        let Some(choice) = chunk.choices.into_iter().next() else { return Ok(()) };
        if choice.delta.refusal.is_some_and(|refusal| !refusal.trim().is_empty()) {
            return Err(LlmError::Declined);
        }
        self.text.push_str(&choice.delta.content.text());
        if let Some(reason) = choice.finish_reason.as_deref() {
            self.end = Some(if answer::ended(Some(reason))? { End::Whole } else { End::Cut });
        }
        Ok(())
    }

    /// Parses an event of Responses.
    fn event(&mut self, data: &str) -> Result<(), LlmError> {
        let event: Event = serde_json::from_str(data).map_err(|_| LlmError::Malformed("invalid event"))?;
        match event.r#type.as_str() {
            "response.output_text.delta" => self.text.push_str(&event.delta.unwrap_or_default()),
            "response.refusal.delta" => return Err(LlmError::Declined),
            "response.completed" | "response.incomplete" | "response.failed" => {
                let response = event.response.ok_or(LlmError::Malformed("no response"))?;
                let said = answer::responses(response)?;
                self.usage = said.usage.or(self.usage);
                self.end = Some(if said.whole { End::Whole } else { End::Cut });
            }
            "error" => return Err(Refusal { code: event.code }.error()),
            _ => {}
        }
        Ok(())
    }
}

/// The data of the last event of chat completions.
const DONE: &str = "[DONE]";

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<ChunkChoice>,
    usage: Option<Usage>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct ChunkChoice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    #[serde(default)]
    content: Content,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Event {
    r#type: String,
    delta: Option<String>,
    response: Option<Response>,
    #[serde(default)]
    code: serde_json::Value,
}

/// Returns whether a text ends in repetitions of one piece.
fn repeats(text: &[u8]) -> bool {
    let Some(tail) = text.len().checked_sub(LOOP_BYTES).map(|start| &text[start..]) else { return false };
    (1..=LOOP_PERIOD).any(|period| tail[period..] == tail[..LOOP_BYTES - period])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CHAT: &str = "\u{feff}: a comment\r\n\r\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\r\n\r\n\
        event: x\ndata:{\"choices\":[{\"delta\":{\"content\":\"Ti\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{\"content\":\"des ≈\"},\"finish_reason\":null}]}\n\n\
        data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
        data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\n\n\
        data: [DONE]\n\n";

    fn read(api: Api, text: &str, step: usize) -> Result<Answer, LlmError> {
        let mut stream = Stream::new(api, 1_000);
        for chunk in text.as_bytes().chunks(step) {
            if stream.take(chunk).is_break() {
                break;
            }
        }
        stream.end()
    }

    fn chunk(words: &str) -> String {
        let words = serde_json::Value::from(words);
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":{words}}}}}]}}\n\n")
    }

    #[test]
    fn a_streamed_chat_is_the_same_however_its_bytes_arrive() {
        let usage = Some(Usage { input_tokens: 9, output_tokens: 2, cost: None });
        let whole = Answer { text: "Tides ≈".into(), whole: true, usage };
        for step in [1, 2, 7, 64, 10_000] {
            assert_eq!(read(Api::Chat, CHAT, step), Ok(whole.clone()), "{step}");
        }
        // Without the last line break, and without the last event.
        assert_eq!(read(Api::Chat, CHAT.trim_end(), 5), Ok(whole.clone()));
        let (without, _) = CHAT.split_once("data: [DONE]").unwrap();
        assert_eq!(read(Api::Chat, without, 5), Ok(whole));
    }

    #[test]
    fn streamed_responses_are_read() {
        let text = "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"output\":[]}}\n\n\
            data: {\"type\":\"response.output_text.delta\",\"delta\":\"Ti\"}\n\n\
            data: {\"type\":\"response.output_text.delta\",\"delta\":\"des\"}\n\n\
            data: {\"type\":\"response.completed\",\"response\":{\"output\":[],\"usage\":{\"input_tokens\":9,\"output_tokens\":2}}}\n\n";
        let usage = Some(Usage { input_tokens: 9, output_tokens: 2, cost: None });
        assert_eq!(read(Api::Responses, text, 3), Ok(Answer { text: "Tides".into(), whole: true, usage }));
        let cut = text
            .replace("\"output\":[],\"usage\"", "\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"usage\"");
        assert!(!read(Api::Responses, &cut, 64).unwrap().whole);
        let failed = "data: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"x\"}\n\n";
        assert!(read(Api::Responses, failed, 64).is_err());
    }

    #[test]
    fn faults_of_a_stream_are_named() {
        assert!(matches!(read(Api::Chat, &chunk("Ti"), 64), Err(LlmError::Http(_))), "it ended early");
        let late = format!("{}data: {{\"error\":{{\"code\":502,\"message\":\"x\"}}}}\n\n", chunk("Ti"));
        assert_eq!(read(Api::Chat, &late, 64), Err(LlmError::Status(502)));
        let cut = format!("{}data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"length\"}}]}}\n\n", chunk("Ti"));
        assert!(!read(Api::Chat, &cut, 64).unwrap().whole);
        assert!(matches!(read(Api::Chat, "data: <html>\n\n", 64), Err(LlmError::Malformed(_))));
        assert_eq!(read(Api::Chat, "data: [DONE]\n\n", 64), Err(LlmError::Malformed("no words")));
    }

    #[test]
    fn what_has_arrived_is_kept_when_the_time_is_over() {
        let mut stream = Stream::new(Api::Chat, 100);
        assert!(stream.take(chunk("<page>").as_bytes()).is_continue());
        let answer = stream.into_partial().unwrap();
        assert_eq!((answer.text.as_str(), answer.whole), ("<page>", false));
        assert_eq!(Stream::new(Api::Chat, 100).into_partial(), None);
    }

    #[test]
    fn endless_answers_are_cut_off() {
        // An answer beyond its token limit, and one that repeats itself.
        for (max_tokens, piece) in [(10, "0123456789abcdefghij "), (100_000, "<gap/>\n")] {
            let mut stream = Stream::new(Api::Chat, max_tokens);
            let mut sent = 0;
            let beginning: String = (0..50).map(|n| format!("{n} ")).collect();
            assert!(stream.take(chunk(&beginning).as_bytes()).is_continue());
            while stream.take(chunk(piece).as_bytes()).is_continue() {
                sent += piece.len();
                assert!(sent < 4_000);
            }
            let answer = stream.end().unwrap();
            assert!(!answer.whole && answer.text.starts_with(&beginning[..100]), "{}", answer.text);
        }
        let mut line = Stream::new(Api::Chat, 10);
        assert!((0..=LINE_BYTES / 1_000).any(|_| line.take(&[b'x'; 1_000]).is_break()));
        assert_eq!(line.end(), Err(LlmError::TooLarge));
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_answer_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400), lines: bool) {
            for api in [Api::Chat, Api::Responses] {
                let mut stream = Stream::new(api, 10);
                if lines {
                    let _ = stream.take(b"data: ");
                }
                let _ = stream.take(&bytes);
                let _ = stream.end();
            }
        }
    }
}
