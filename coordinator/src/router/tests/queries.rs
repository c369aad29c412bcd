//! Tests of paths and queries: cursors, unknown parameters, trailing slashes, and what lists leave out.

use super::*;

#[tokio::test]
async fn a_cursor_goes_with_the_filters_that_it_was_given_for() {
    let s = Service::rich();
    for _ in 0..3 {
        s.create(&text()).await;
    }
    let page = s.get("/api/generations?limit=1&status=pending").await.json();
    let cursor = page["pagination"]["nextCursor"].as_str().unwrap();
    assert_eq!(s.get(&format!("/api/generations?limit=2&status=pending&cursor={cursor}")).await.status, 200);
    for other in ["status=failed&", "q=x&status=pending&", ""] {
        let refused = s.get(&format!("/api/generations?{other}cursor={cursor}")).await;
        assert_eq!(refused.error(), (400, "invalid_cursor".into()), "{other}");
        assert_eq!(refused.json()["details"][0]["field"], "cursor");
    }
}

#[tokio::test]
async fn unknown_query_parameters_are_warned_of() {
    let s = Service::rich();
    let made = s.send(s.request("POST", "/api/generations?dryRun=true", text().to_string())).await;
    assert_eq!(made.json()["generation"]["warnings"][0]["code"], "unknown_field");
    let id = made.json()["generation"]["id"].as_str().unwrap().to_owned();
    s.work(|_| false).await;
    let asked = s.get(&format!("/api/generations/{id}?expnd=outputs")).await.json()["generation"]["warnings"].take();
    let unknown =
        |warnings: &Value| warnings.as_array().unwrap().iter().filter(|w| w["code"] == "unknown_field").count();
    assert_eq!(unknown(&asked), 2, "{asked}");
    let done = s.get(&format!("/api/generations/{id}")).await.json()["generation"].take();
    assert_eq!(unknown(&done["warnings"]), 1, "that of its creation");
    let output = done["outputs"][0]["id"].as_str().unwrap();
    for path in [
        "/api/generations",
        "/api/credits/ledger",
        "/api/brands",
        "/api/fonts",
        "/api/webhooks",
        "/api/formats",
        "/api/idea-mode/formats",
        &format!("/api/generations/{id}/deliveries"),
        &format!("/api/images/{id}/outputs/{output}/versions"),
    ] {
        assert_eq!(s.get(path).await.json()["warnings"], json!([]), "{path}");
        let warned = s.get(&format!("{path}?limitt=1")).await.json()["warnings"].take();
        assert_eq!((warned.as_array().unwrap().len(), &warned[0]["code"]), (1, &json!("unknown_field")), "{path}");
        assert!(warned[0]["message"].as_str().unwrap().contains("\"limitt\""), "{path}");
    }
    let exported = s.get(&format!("/api/generations/{id}/export?format=zip&formatID=instagram_post")).await.json();
    assert!(exported["warnings"][0]["message"].as_str().unwrap().contains("Did you mean formatId?"), "{exported}");
    let rotate = s.request("POST", "/api/webhooks/secret/rotate?x=1", r#"{"overlap_hours": 0}"#);
    let rotated = s.send(rotate).await.json()["warnings"].take();
    assert_eq!(unknown(&rotated), 2, "{rotated}");
}

#[tokio::test]
async fn a_slash_at_the_end_of_a_path_changes_nothing() {
    let s = Service::rich();
    let made = s.send(s.request("POST", "/api/generations/?x=y", text().to_string())).await;
    assert_eq!(made.status, 202);
    let at = made.header("location").to_owned();
    for path in [at.as_str(), "/api/brands", "/api/formats", "/api/credits/balance", "/api/generations?limit=1"] {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let [plain, slashed] = [format!("{path}?{query}"), format!("{path}/?{query}")];
        let (plain, slashed) = (s.get(&plain).await, s.get(&slashed).await);
        assert_eq!((slashed.status, slashed.json()), (200, plain.json()), "{path}");
    }
    for path in ["/api/", "/api/generations//", "/api/nothing/"] {
        assert_eq!(s.get(path).await.error(), (404, "not_found".into()), "{path}");
    }
    // Creations count in their own window, however the path is spelled.
    let few = Service::start(1_000, Limiter::new(9, 1, 9));
    assert_eq!(few.send(few.request("POST", "/api/generations/", text().to_string())).await.status, 202);
    assert_eq!(few.create(&text()).await.error(), (429, "rate_limit_exceeded".into()));
}

#[tokio::test]
async fn a_list_is_short_unless_more_is_asked_for() {
    let s = Service::rich();
    let mut body = text();
    body["outputFormats"] = json!(["linkedin_carousel"]);
    body["inputContent"] = json!(foxes(5));
    body["carouselCounts"] = json!({"linkedin_carousel": 5});
    for _ in 0..33 {
        assert_eq!(s.create(&body).await.status, 202);
    }
    s.work(|_| false).await;
    let listed = s.get("/api/generations?limit=100").await;
    assert!(listed.body.len() <= 60_000, "{} bytes", listed.body.len());
    let shown = &listed.json()["generations"][0];
    let whole = s.get(&format!("/api/generations/{}", shown["id"].as_str().unwrap())).await.json()["generation"].take();
    assert_eq!((&shown["outputCount"], shown.get("outputs")), (&json!(5), None));
    assert_eq!(
        path_of(&shown["thumbnailUrl"]).split('?').next(),
        path_of(&whole["outputs"][0]["thumbnailUrl"]).split('?').next()
    );
    let with = async |expand: &str| {
        s.get(&format!("/api/generations?limit=1&expand={expand}")).await.json()["generations"][0].take()
    };
    let outputs = with("outputs").await["outputs"].take();
    assert_eq!((outputs.as_array().unwrap().len(), outputs[0]["quality"].get("checks")), (5, None));
    assert!(whole["outputs"][0]["quality"]["checks"].is_array());
    assert!(with("quality").await["outputs"][0]["quality"]["checks"].is_array());
}
