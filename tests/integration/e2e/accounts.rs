//! Tests of keys, credits, rate limits, and the output of a start.

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Service, start_in_vain};

fn text() -> Value {
    json!({"inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"]})
}

#[tokio::test]
async fn the_first_start_shows_a_key_once_and_a_request_that_works() {
    let (data, service, client) = fresh(&[]);
    let said = service.said.join("\n");
    assert_eq!(said.matches("vd_").count() - said.matches("X-API-Key: vd_").count(), 1, "{said}");
    assert!(said.contains("curl") && said.contains(&service.base), "{said}");
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!((&balance["balance"], &balance["plan"]), (&json!(10_000), &json!("pro")));
    assert_eq!(balance["costs"], json!({"visual": 10, "slide": 15, "edit": 10}));

    let curl = service.said.iter().find(|l| l.starts_with("curl ")).expect("a request to paste");
    let pasted = std::process::Command::new("sh").arg("-c").arg(curl).output().unwrap();
    let answer: Value = serde_json::from_slice(&pasted.stdout).unwrap_or_else(|e| {
        panic!("{e}: {} {}", String::from_utf8_lossy(&pasted.stdout), String::from_utf8_lossy(&pasted.stderr))
    });
    let made = client.finished(answer["generation"]["id"].as_str().unwrap()).await;
    assert_eq!(made["status"], "completed");

    let key = service.key.clone().unwrap();
    assert!(service.stop().success(), "SIGTERM ends it in order");
    let again = Service::start(data.path(), &[]);
    assert_eq!(again.key, None, "a key is shown once");
    assert!(!again.said.join("\n").contains(&key));
    assert_eq!(crate::service::Client::new(&again.base, &key).get("/api/brands").await.status, 200);
}

#[tokio::test]
async fn keys_are_missing_or_wrong() {
    let (_data, service, client) = fresh(&UNHURRIED);
    let key = service.key.clone().unwrap();
    let refused = async |key: &str| client.with_key(key).get("/api/brands").await.error(401, "authentication_error");
    assert_eq!(refused("").await, "api_key_missing");
    let mut typo = key.clone().into_bytes();
    typo[10] = if typo[10] == b'a' { b'b' } else { b'a' };
    let wrong = [
        String::from_utf8(typo).unwrap(),
        "vd_".into(),
        "nonsense".into(),
        key[..key.len() - 1].into(),
        format!("{key}x"),
    ];
    for wrong in &wrong {
        assert_eq!(refused(wrong).await, "api_key_invalid");
    }
    // A key in the query is not accepted, because it would appear in every log on the way.
    let query = client.with_key("").get(&format!("/api/brands?X-API-Key={key}&api_key={key}")).await;
    assert_eq!(query.error(401, "authentication_error"), "api_key_missing");
    let twice = client.request("GET", "/api/brands").header("X-API-Key", &wrong[0]);
    assert_eq!(client.send(twice).await.unwrap().status, 401, "two keys are one too many");
    for path in ["/healthz", "/readyz", "/api/formats"] {
        let answer = client.with_key("").get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        answer.has_headers();
    }
}

#[tokio::test]
async fn credits_run_out_and_nothing_is_overspent() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let habits: String = (1..35).map(|n| format!("- Habit {n} has its own hour of the day\n")).collect();
    let spend = json!({
        "inputType": "text", "inputContent": format!("# Sleep better\n\n{habits}"), "outputFormats": ["tiktok_carousel"],
        "carouselCounts": {"tiktok_carousel": 35},
    });
    let mut short = text();
    short["maxCredits"] = json!(9);
    let answer = client.post("/api/generations", &short).await;
    assert_eq!(answer.error(402, "insufficient_credits"), "max_credits_exceeded");

    // Each costs 525 credits, so 19 fit into 10,000.
    let posts: Vec<_> = (0..30)
        .map(|seed| {
            let (client, mut body) = (client.clone(), spend.clone());
            body["seed"] = json!(seed);
            tokio::spawn(async move { client.post("/api/generations", &body).await })
        })
        .collect();
    let (mut accepted, mut refused) = (0, 0);
    for post in posts {
        let answer = post.await.unwrap();
        if answer.status == 202 {
            accepted += 1;
            continue;
        }
        assert_eq!(answer.error(402, "insufficient_credits"), "insufficient_credits");
        assert_eq!(answer.json()["required"], 525);
        assert!(answer.json()["available"].as_u64().is_some_and(|a| a < 10_000));
        refused += 1;
    }
    assert_eq!((accepted, refused), (19, 11));
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!(balance["balance"], 25);
}

#[tokio::test]
async fn three_classes_are_limited_apart() {
    let (_data, _service, client) = fresh(&[]);
    let reads = async || client.get("/api/brands").await;
    let first = reads().await;
    assert_eq!((first.header("x-ratelimit-limit"), first.header("x-ratelimit-remaining")), ("60", "59"));
    let reset: u64 = first.header("x-ratelimit-reset").parse().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert!((now..=now + 61).contains(&reset));
    for left in (0..59).rev() {
        let answer = reads().await;
        assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (200, left.to_string().as_str()));
    }
    let over = reads().await;
    assert_eq!(over.error(429, "rate_limited"), "rate_limit_exceeded");
    assert!(over.header("retry-after").parse::<u64>().is_ok_and(|s| (1..=60).contains(&s)));

    // Rejected creations count too, because parsing an invalid body costs work.
    let create = async || client.send(client.request("POST", "/api/generations").json(&json!({}))).await.unwrap();
    assert_eq!(create().await.header("x-ratelimit-limit"), "20");
    for _ in 0..19 {
        assert_eq!(create().await.status, 400);
    }
    create().await.error(429, "rate_limited");

    let other = async || client.send(client.request("DELETE", "/api/brands")).await.unwrap();
    assert_eq!(other().await.header("x-ratelimit-limit"), "30");
    for _ in 0..29 {
        assert_eq!(other().await.status, 405);
    }
    other().await.error(429, "rate_limited");

    // Requests outside /api are never counted.
    for _ in 0..70 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
}

#[tokio::test]
async fn one_folder_serves_one_process() {
    let (data, _service, _client) = fresh(&[]);
    let second = start_in_vain(data.path(), &[]);
    assert!(!second.status.success());
    let said = format!("{}{}", String::from_utf8_lossy(&second.stdout), String::from_utf8_lossy(&second.stderr));
    assert!(said.contains("in use"), "{said}");
}

#[test]
fn a_setting_that_is_none_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("vivid.toml");
    std::fs::write(&file, "rate-gte = 3\n").unwrap();
    for more in [vec!["--rate-gte", "3"], vec!["--config", file.to_str().unwrap()]] {
        let ended = start_in_vain(data.path(), &more);
        assert!(!ended.status.success());
        assert!(String::from_utf8_lossy(&ended.stderr).contains("rate-gte"), "{ended:?}");
    }
}
