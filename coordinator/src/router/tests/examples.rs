//! Compares the examples in the document with the service's responses to the example requests.

use super::*;

/// Masks the parts of a value that differ between runs: ids, times, signed URLs and secrets.
fn masked(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(name, v)| (name.clone(), masked(v))).collect(),
        Value::Array(items) => items.iter().map(masked).collect(),
        Value::String(text) if text.parse::<Uuid>().is_ok() => json!("an id"),
        Value::String(text) if Millis::parse(text).is_some() => json!("a time"),
        Value::String(text) if text.contains("/files/") => json!("a URL"),
        Value::String(text) if text.starts_with("whsec_") => json!(format!("a secret of {} characters", text.len())),
        _ => value.clone(),
    }
}

impl Service {
    /// Sends the example request of an operation. Returns the response and the example response.
    async fn try_example(&self, method: &str, path: &str) -> (Value, Value) {
        let (_, document) = api::paths().split_for_parts();
        let document = serde_json::to_value(api::spec::finish(document, "http://h")).unwrap();
        let operation = &document["paths"][path][method];
        let schema = |at: &Value| -> Value {
            match at["$ref"].as_str() {
                Some(pointer) => document.pointer(pointer.trim_start_matches('#')).unwrap().clone(),
                None => at.clone(),
            }
        };
        let sent = schema(&operation["requestBody"]["content"]["application/json"]["schema"]);
        let answer = self.send(self.request(&method.to_uppercase(), path, sent["examples"][0].to_string())).await;
        assert!(answer.status < 300, "{path}: {}", answer.json());
        let said = &operation["responses"][answer.status.to_string()]["content"]["application/json"];
        let example = match &said["example"] {
            Value::Null => {
                let whole = schema(&said["schema"]);
                let members = whole["properties"].as_object().unwrap().iter();
                members
                    .map(|(name, part)| {
                        (name.clone(), part.get("examples").unwrap_or(&schema(part)["examples"])[0].clone())
                    })
                    .collect()
            }
            example => example.clone(),
        };
        (masked(&answer.json()), masked(&example))
    }
}

#[tokio::test]
async fn examples_of_creations_are_what_is_answered() {
    let s = Service::rich();
    for path in ["/api/generations", "/api/webhooks"] {
        let (answer, example) = s.try_example("post", path).await;
        assert_eq!(answer, example, "{path}");
    }
}

#[tokio::test]
async fn the_example_of_a_completed_generation_has_its_images() {
    let s = Service::rich();
    let made = s.create(&api::spec::examples::creation_request()).await;
    s.work(|_| false).await;
    let done = s.get(made.header("location")).await.json()["generation"].take();
    let example = api::spec::examples::completed();
    for field in [
        "status",
        "progress",
        "stage",
        "outputFormats",
        "carouselCounts",
        "creditsCharged",
        "creditsRefunded",
        "outputCount",
    ] {
        assert_eq!(done[field], example[field], "{field}");
    }
    let images = |g: &Value| -> Vec<Value> {
        let outputs = g["outputs"].as_array().unwrap().iter();
        outputs
            .map(|o| {
                json!([
                    o["formatId"],
                    o["kind"],
                    o["slideIndex"],
                    o["sortOrder"],
                    o["width"],
                    o["height"],
                    o["version"]
                ])
            })
            .collect()
    };
    assert_eq!(images(&done), images(&example));
}
