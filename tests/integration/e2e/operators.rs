//! Tests of the operator's API and the commands that call it: accounts, credits, and dead letters.

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Client, Service, exchange, id, operate};

/// Runs a command for the service on `data`. Returns what it prints.
fn asked(data: &std::path::Path, words: &[&str]) -> Result<Value, String> {
    let output = operate(data, words);
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout).unwrap_or_else(|_| json!("done")));
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[tokio::test]
async fn an_operator_makes_accounts_and_gives_credits_once() {
    let (data, _service, _) = fresh(&[]);
    let ask = |words: &[&str]| asked(data.path(), words);
    let made = ask(&["account", "create", "Ada & Sons", "--plan", "starter", "--credits", "7"]).unwrap();
    let account = &made["account"];
    assert_eq!(
        (&account["name"], &account["plan"], &account["active"]),
        (&json!("Ada & Sons"), &json!("starter"), &json!(true))
    );
    assert_eq!(account["credits"]["balance"], 1007);
    let id = account["id"].as_str().unwrap();

    let give = ["account", "credit", id, "20", "--note", "thanks", "--idempotency-key", "k1"];
    for _ in 0..2 {
        assert_eq!(ask(&give).unwrap()["credits"]["topupBalance"], 27, "the same gift is given once");
    }
    let pack = ask(&["account", "credit", id, "5", "--expires", "2999-01-01T00:00:00Z"]).unwrap();
    assert_eq!((&pack["credits"]["packBalance"], &pack["credits"]["balance"]), (&json!(5), &json!(1032)));
    assert_eq!(pack["credits"]["nextPackExpiry"], "2999-01-01T00:00:00.000Z");
    assert_eq!(ask(&["account", "change", id, "--plan", "pro"]).unwrap()["account"]["credits"]["monthlyBalance"], 5000);

    let ledger = ask(&["account", "ledger", id]).unwrap();
    let lines: Vec<_> =
        ledger["entries"].as_array().unwrap().iter().map(|e| (&e["type"], &e["amount"], &e["balance"])).collect();
    let grant = |amount: u64, balance: u64| (json!("grant"), json!(amount), json!(balance));
    let expected = [grant(4000, 5032), grant(5, 1032), grant(20, 1027), grant(1000, 1007), grant(7, 7)];
    assert_eq!(lines, expected.iter().map(|(t, a, b)| (t, a, b)).collect::<Vec<_>>());

    let accounts = ask(&["account", "list", "--limit", "1"]).unwrap();
    assert_eq!(accounts["accounts"][0]["name"], "first account");
    let cursor = accounts["pagination"]["nextCursor"].as_str().unwrap();
    assert_eq!(ask(&["account", "list", "--cursor", cursor]).unwrap()["accounts"][0]["id"], id);

    for (words, said) in [
        (&["account", "show", "nobody"][..], "no account"),
        (&["account", "create", ""], "name must have"),
        (&["account", "create", "x", "--plan", "gold"], "plan must be one of free, starter, pro, business"),
        (&["account", "credit", id, "0"], "from 1 to"),
        (&["account", "credit", id, "1", "--expires", "2001-01-01T00:00:00Z"], "in the future"),
        (&["account", "change", id], "Send at least one of"),
        (&["account", "deactivate", id, "--admin-token", "wrong"], "token"),
        (&["account", "list", "--admin-url", "http://127.0.0.1:9"], "no service answers"),
    ] {
        let refused = ask(words).expect_err("it is refused");
        assert!(refused.contains(said), "{words:?}: {refused}");
    }
}

#[tokio::test]
async fn an_operator_hands_out_keys_and_links() {
    let (data, service, _) = fresh(&UNHURRIED);
    let ask = |words: &[&str]| asked(data.path(), words);
    let made = ask(&["account", "create", "Ada"]).unwrap();
    let account = id(&made["account"]);
    let made = ask(&["key", "create", account, "reader", "--scopes", "brands:read,credits:read"]).unwrap();
    let reader = Client::new(&service.base, made["secret"].as_str().unwrap());
    assert_eq!(reader.get("/api/brands").await.status, 200);
    assert_eq!(reader.get("/api/generations").await.status, 403);
    let key = id(&made["key"]);
    let rotated = ask(&["key", "rotate", account, key, "--grace", "600"]).unwrap();
    let next = Client::new(&service.base, rotated["secret"].as_str().unwrap());
    assert_eq!((reader.get("/api/brands").await.status, next.get("/api/brands").await.status), (200, 200));
    assert_eq!(ask(&["key", "revoke", account, key]), Ok(json!("done")));
    assert_eq!((reader.get("/api/brands").await.status, next.get("/api/brands").await.status), (401, 200));
    assert_eq!(ask(&["key", "list", account]).unwrap()["count"], 2);
    assert!(
        ask(&["key", "create", account, "x", "--scopes", "all"]).is_err_and(|e| e.contains("A scope must be one of"))
    );
    assert!(ask(&["key", "revoke", account, account]).is_err_and(|e| e.contains("no API key")));

    let invited = ask(&["member", "invite", account, "Ada@Example.org", "Ada"]).unwrap();
    assert_eq!(
        (&invited["member"]["email"], &invited["member"]["role"]),
        (&json!("ada@example.org"), &json!("holder"))
    );
    let member = id(&invited["member"]);
    let again = ask(&["member", "link", account, member]).unwrap();
    assert_ne!(again["link"]["token"], invited["link"]["token"], "the link before is void");
    assert!(ask(&["member", "remove", account, member]).is_err_and(|e| e.contains("needs a holder")));
    ask(&["member", "invite", account, "grace@example.org", "Grace"]).unwrap();
    assert_eq!(ask(&["member", "remove", account, member]), Ok(json!("done")));
    let left = ask(&["member", "list", account]).unwrap();
    assert_eq!((&left["count"], &left["members"][0]["name"]), (&json!(1), &json!("Grace")));
}

#[tokio::test]
async fn a_deactivated_account_is_shut_out_and_let_in_again() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let accounts = asked(data.path(), &["account", "list"]).unwrap();
    let id = accounts["accounts"][0]["id"].as_str().unwrap().to_owned();
    asked(data.path(), &["account", "deactivate", &id]).unwrap();
    let refused = client.get("/api/brands").await;
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("account_deactivated")));
    asked(data.path(), &["account", "activate", &id]).unwrap();
    assert_eq!(client.get("/api/brands").await.status, 200);
}

#[tokio::test]
async fn an_account_reads_what_made_its_balance_up() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let body = json!({"inputType": "text", "inputContent": "A fox sleeps.", "outputFormats": ["instagram_post"]});
    let ended = client.completed(&body).await;
    let id = id(&ended).to_owned();
    let output = &ended["outputs"][0]["id"];
    let ledger = client.get("/api/credits/ledger?limit=2").await.json();
    let entries = ledger["entries"].as_array().unwrap();
    assert_eq!(
        (&entries[0]["type"], &entries[0]["amount"], &entries[0]["reserved"]),
        (&json!("capture"), &json!(10), &json!(0))
    );
    assert_eq!(
        (&entries[1]["type"], &entries[1]["balance"], &entries[1]["reserved"]),
        (&json!("hold"), &json!(9990), &json!(10))
    );
    for entry in entries {
        assert_eq!((&entry["generationId"], &entry["outputId"]), (&json!(id), output));
        assert_eq!(entry["sources"], json!([{"type": "monthly", "amount": 10}]));
    }
    let cursor = ledger["pagination"]["nextCursor"].as_str().unwrap();
    let rest = client.get(&format!("/api/credits/ledger?cursor={cursor}")).await.json();
    let types: Vec<_> = rest["entries"].as_array().unwrap().iter().map(|e| &e["type"]).collect();
    assert_eq!(types, ["grant", "grant"]);
    assert_eq!(rest["pagination"]["hasMore"], false);
    for (query, code) in [("limit=0", "validation_failed"), ("cursor=x", "invalid_cursor")] {
        let refused = client.get(&format!("/api/credits/ledger?{query}")).await;
        assert_eq!((refused.status, &refused.json()["code"]), (400, &json!(code)));
    }

    let shown = asked(data.path(), &["generation", "show", &id]).unwrap();
    assert_eq!((&shown["generation"]["id"], &shown["work"][0]["state"]), (&json!(id), &json!("ready")));
    assert_eq!(asked(data.path(), &["dead-letter", "list"]).unwrap(), json!({"deadLetters": [], "count": 0}));
}

#[tokio::test]
async fn the_operators_api_wants_its_token_and_has_a_listener_of_its_own() {
    let (data, service, client) = fresh(&[]);
    let base = std::fs::read_to_string(data.path().join("admin-address")).unwrap();
    let stranger = Client::new(base.trim(), service.key.as_deref().unwrap());
    let refused = stranger.get("/admin/accounts").await;
    assert_eq!((refused.status, &refused.json()["code"]), (401, &json!("admin_token_invalid")));
    let address = base.trim().strip_prefix("http://").unwrap();
    let clients = exchange(address, b"GET /api/brands HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    assert!(clients.starts_with("HTTP/1.1 401"), "nothing else is served there: {clients}");
    let elsewhere = client.get("/admin/accounts").await;
    assert_eq!((elsewhere.status, &elsewhere.json()["code"]), (404, &json!("not_found")));
    drop(service);
    let again = Service::start(data.path(), &[]);
    assert!(asked(data.path(), &["account", "list"]).is_ok(), "the token stays");
    drop(again);
}

#[tokio::test]
async fn a_copy_of_the_state_makes_another_service() {
    let (data, service, client) = fresh(&UNHURRIED);
    let body = json!({"inputType": "text", "inputContent": "A fox sleeps.", "outputFormats": ["instagram_post"]});
    let made = client.completed(&body).await;
    let export = asked(data.path(), &["export"]).unwrap();
    let file = export["export"]["file"].as_str().unwrap().to_owned();
    assert!(export["export"]["rows"].as_u64().is_some_and(|n| n > 10), "{export}");
    let there = asked(data.path(), &["import", &file]);
    assert!(there.is_err_and(|e| e.contains("not empty")), "a state is never written over");

    let other = tempfile::tempdir().unwrap();
    let damaged = other.path().join("damaged");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    assert!(asked(other.path(), &["import", damaged.to_str().unwrap()]).is_err());
    asked(other.path(), &["import", &file]).unwrap();
    let key = service.key.clone().unwrap();
    let restored = Service::start(other.path(), &UNHURRIED);
    let again = Client::new(&restored.base, &key);
    let read = again.generation(id(&made)).await;
    assert_eq!(
        (&read["status"], &read["seed"], &read["outputs"][0]["id"]),
        (&made["status"], &made["seed"], &made["outputs"][0]["id"])
    );
    let balance = again.get("/api/credits/balance").await.json();
    assert_eq!(balance, client.get("/api/credits/balance").await.json());
}
