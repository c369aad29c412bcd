//! Tests the client against a model server whose answers are good, broken, slow, hostile or too large.

pub(super) mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use super::health::FAILURES;
use super::model::TRIES;
use super::*;
use server::{Reply, Server, completion};
use tokio::task::JoinSet;

const SCHEMA: &str = r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#;

fn settings(base: &str) -> Settings {
    Settings {
        base_url: base.to_owned(),
        model: "test".into(),
        key: Some(Key::new("sk-secret")),
        timeout: Duration::from_secs(20),
        calls: 4,
        daily_tokens: None,
        price: None,
    }
}

/// Returns a client of a model server.
pub(super) fn model_at(base: &str) -> Model {
    Model::new(settings(base)).unwrap()
}

fn budget() -> Budget {
    Budget::new(Duration::from_secs(60), 1_000_000)
}

async fn ask(model: &Model, budget: &Budget) -> Result<String, LlmError> {
    let turns = [Turn::new(Role::User, "Tides rise and fall.")];
    let schema = serde_json::from_str(SCHEMA).unwrap();
    let form = Some(Form { name: "outline", schema: &schema });
    model.ask(Call { turns: &turns, form, max_tokens: 100, seed: 7 }, budget).await.and_then(Said::complete)
}

/// Returns the result of one call against a script, and the number of requests.
async fn outcome(script: impl Fn(usize) -> Reply + Send + Sync + 'static) -> (Result<String, LlmError>, usize) {
    let server = Server::start(move |n, _| script(n)).await;
    let model = Model::new(settings(&server.base)).unwrap();
    (ask(&model, &budget()).await, server.count())
}

#[tokio::test]
async fn an_answer_comes_back_and_the_request_is_whole() {
    let server = Server::start(|_, _| Reply::Says("{\"a\": 1}".into())).await;
    let model = Model::new(settings(&server.base)).unwrap();
    assert_eq!(ask(&model, &budget()).await.unwrap(), "{\"a\": 1}");
    let (head, body) = server.seen.lock()[0].clone();
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{head}");
    let lower = head.to_lowercase();
    for line in ["authorization: bearer sk-secret", "content-type: application/json", "accept-encoding: identity"] {
        assert!(lower.contains(line), "{line} is not in {head}");
    }
    assert_eq!(body["model"], "test");
    assert_eq!(body["response_format"]["type"], "json_schema");
    let shown = format!("{:?}", settings(&server.base));
    assert!(!shown.contains("secret"), "{shown}");
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_not_for_ever() {
    let once = |first: Reply| move |n: usize| if n == 0 { first.clone() } else { Reply::Says("{}".into()) };
    let half = completion("{}").into_bytes();
    let half = [b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".to_vec(), half[..40].to_vec()].concat();
    for first in [
        Reply::Status(429, "Retry-After: 0\r\n", "{}".into()),
        Reply::Status(503, "", String::new()),
        Reply::Status(200, "", "<html>".into()),
        Reply::Bytes(half),
        Reply::Bytes(Vec::new()),
        Reply::Bytes(b"SSH-2.0-x\r\n".to_vec()),
    ] {
        let shown = format!("{first:.80?}");
        assert_eq!(outcome(once(first)).await, (Ok("{}".into()), 2), "{shown}");
    }
    let (last, tries) = outcome(|_| Reply::Status(500, "Retry-After: 0\r\n", "{}".into())).await;
    assert_eq!((last, tries), (Err(LlmError::Status(500)), TRIES as usize));
}

#[tokio::test]
async fn what_does_not_pass_is_not_tried_again() {
    let cut = json!({"choices": [{"message": {"content": "{"}, "finish_reason": "length"}]}).to_string();
    let moved = "Location: http://127.0.0.1:1/\r\n";
    for (reply, error) in [
        (Reply::Status(401, "", "{}".into()), LlmError::Status(401)),
        (Reply::Status(404, "", "no such model".into()), LlmError::Status(404)),
        (Reply::Status(307, moved, String::new()), LlmError::Redirect),
        (Reply::Status(429, "Retry-After: 3600\r\n", "{}".into()), LlmError::Status(429)),
        (Reply::Status(200, "", cut), LlmError::CutOff),
        (Reply::Endless, LlmError::TooLarge),
        (Reply::Says("x".repeat(2 * ANSWER_BYTES)), LlmError::TooLarge),
    ] {
        assert_eq!(outcome(move |_| reply.clone()).await, (Err(error), 1));
    }
}

#[tokio::test]
async fn a_server_of_another_dialect_is_understood_and_remembered() {
    let server = Server::start(|_, body| {
        let refuse = |what: &str| Reply::Status(400, "", format!("{{\"error\": {{\"message\": \"{what}\"}}}}"));
        match body {
            b if b.get("max_tokens").is_some() => refuse("use 'max_completion_tokens' instead"),
            b if b.get("temperature").is_some() => refuse("unsupported value: 'temperature'"),
            b if b["response_format"]["type"] == "json_schema" => refuse("json_schema is not supported"),
            _ => Reply::Says("{\"a\": 1}".into()),
        }
    })
    .await;
    let model = Model::new(settings(&server.base)).unwrap();
    assert!(ask(&model, &budget()).await.is_ok());
    assert_eq!(server.count(), 4);
    assert!(ask(&model, &budget()).await.is_ok());
    assert_eq!(server.count(), 5, "what was learnt is kept");
    let (_, last) = server.seen.lock()[4].clone();
    assert!(last["messages"].to_string().contains("JSON schema"), "{last}");
}

#[tokio::test]
async fn a_stream_is_read_and_counted() {
    let words = ["{\"a\"", ": ", "1}"].map(str::to_owned).to_vec();
    let server = Server::start(move |_, _| Reply::Streams(words.clone(), None)).await;
    let price = Some(Price { input: 1.0, output: 2.0 });
    let model = Model::new(Settings { price, ..settings(&server.base) }).unwrap();
    let allowance = Allowance::default();
    let budget = Budget::within(Duration::from_secs(60), 1_000_000, &allowance);
    assert_eq!(ask(&model, &budget).await.unwrap(), "{\"a\": 1}");
    assert_eq!(server.seen.lock()[0].1["stream"], true);
    assert_eq!(allowance.used(), 150);
    assert_eq!(allowance.usage(), Usage { calls: 1, input: 100, output: 50, micro_usd: Some(200) });
}

#[tokio::test]
async fn what_a_slow_model_wrote_is_kept() {
    let silence = Some(Duration::from_secs(600));
    let server = Server::start(move |_, _| Reply::Streams(vec!["<page>".into()], silence)).await;
    let slow = Model::new(Settings { timeout: Duration::from_millis(300), ..settings(&server.base) }).unwrap();
    let turns = [Turn::new(Role::User, "Tides")];
    let call = Call { turns: &turns, form: None, max_tokens: 100, seed: 7 };
    let allowance = Allowance::default();
    let said = slow.ask(call, &Budget::within(Duration::from_secs(60), 1_000_000, &allowance)).await.unwrap();
    assert_eq!((said.text.as_str(), said.whole), ("<page>", false));
    assert_eq!(said.complete(), Err(LlmError::CutOff));
    assert!(allowance.used() < 10, "no more than was written");
}

#[tokio::test]
async fn a_model_that_needs_responses_is_asked_there() {
    let server = Server::start(|n, body| match body.get("input") {
        None => Reply::Status(404, "", "This model is only supported in v1/responses.".into()),
        Some(_) if n == 0 => Reply::Status(500, "", String::new()),
        Some(_) => {
            let said = json!({"type": "message", "content": [{"type": "output_text", "text": "{}"}]});
            Reply::Status(
                200,
                "",
                json!({"output": [said], "usage": {"input_tokens": 3, "output_tokens": 1}}).to_string(),
            )
        }
    })
    .await;
    let model = model_at(&server.base);
    assert_eq!(ask(&model, &budget()).await, Ok("{}".into()));
    assert_eq!(ask(&model, &budget()).await, Ok("{}".into()));
    let paths: Vec<_> = server.seen.lock().iter().map(|(head, _)| head.split(' ').nth(1).unwrap().to_owned()).collect();
    assert_eq!(paths, ["/v1/chat/completions", "/v1/responses", "/v1/responses"], "remembered");
}

#[tokio::test]
async fn silence_ends_and_an_endpoint_that_keeps_failing_is_left_alone() {
    let server = Server::start(|_, _| Reply::Silence(Duration::from_secs(600))).await;
    let short = Settings { timeout: Duration::from_millis(50), ..settings(&server.base) };
    let model = Model::new(short).unwrap();
    for _ in 0..FAILURES {
        assert_eq!(ask(&model, &budget()).await, Err(LlmError::TimedOut));
    }
    let before = server.count();
    assert_eq!(ask(&model, &budget()).await, Err(LlmError::Resting));
    assert_eq!(server.count(), before);
}

#[tokio::test]
async fn nobody_there_is_said() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let model = Model::new(settings(&base)).unwrap();
    assert!(matches!(ask(&model, &budget()).await, Err(LlmError::Unreachable(_))));
    // The server does not speak TLS.
    let server = Server::start(|_, _| Reply::Says("{}".into())).await;
    let model = Model::new(settings(&server.base.replace("http://", "https://"))).unwrap();
    assert!(matches!(ask(&model, &budget()).await, Err(LlmError::Unreachable(_))));
}

#[tokio::test]
async fn budgets_hold() {
    let server = Server::start(|_, _| Reply::Says("{}".into())).await;
    let model = Model::new(settings(&server.base)).unwrap();
    let poor = Budget::new(Duration::from_secs(60), 50);
    assert_eq!(ask(&model, &poor).await, Err(LlmError::Budget("tokens")));
    let late = Budget::new(Duration::ZERO, 1_000_000);
    assert_eq!(ask(&model, &late).await, Err(LlmError::Budget("time")));
    assert_eq!(server.count(), 0);
    // Each answer reports 150 tokens.
    let daily = Model::new(Settings { daily_tokens: Some(1_000), ..settings(&server.base) }).unwrap();
    let mut answered = 0;
    while ask(&daily, &budget()).await.is_ok() {
        answered += 1;
    }
    assert!((2..=8).contains(&answered), "{answered}");
    assert_eq!(ask(&daily, &budget()).await, Err(LlmError::Budget("tokens for today")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 6)]
async fn no_more_calls_are_out_than_may_be() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counted = (Arc::clone(&now), Arc::clone(&most));
    let server = Server::start(move |_, _| {
        let out = counted.0.fetch_add(1, Ordering::SeqCst) + 1;
        counted.1.fetch_max(out, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        counted.0.fetch_sub(1, Ordering::SeqCst);
        Reply::Says("{}".into())
    })
    .await;
    let model = Arc::new(Model::new(Settings { calls: 2, ..settings(&server.base) }).unwrap());
    let mut asking = JoinSet::new();
    for _ in 0..8 {
        let model = Arc::clone(&model);
        asking.spawn(async move { ask(&model, &budget()).await });
    }
    while let Some(answer) = asking.join_next().await {
        assert!(answer.unwrap().is_ok());
    }
    assert!(most.load(Ordering::SeqCst) <= 2 && now.load(Ordering::SeqCst) == 0);
}

#[test]
fn settings_that_cannot_be_meant_are_refused() {
    let with = |base: &str, model: &str, key: &str| {
        let key = Some(Key::new(key));
        Model::new(Settings { model: model.into(), key, ..settings(base) }).err()
    };
    assert_eq!(with("api.example.org", "m", "k"), Some(BadSetting::Url));
    assert_eq!(with("https://api.example.org", " ", "k"), Some(BadSetting::Model));
    assert_eq!(with("https://api.example.org", "m", "a\nb"), Some(BadSetting::Key));
    assert_eq!(with("https://api.example.org", "m", " k\n"), None);
}
