use serde_json::Value;

use super::tree::Json;
use super::*;
use crate::api::{paths, spec};
use crate::credits;

fn document() -> Vec<u8> {
    let (_, api) = paths().split_for_parts();
    serde_json::to_vec(&spec::finish(api, "https://vivid.example")).unwrap()
}

fn page() -> String {
    page::page(&document(), &STYLE)
}

/// Returns the text between each `before` and the next `after`.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn it_shows_every_operation_and_every_code() {
    let page = page();
    let document: Value = serde_json::from_slice(&document()).unwrap();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            assert_eq!(page.matches(&format!("<article id=\"{id}\">")).count(), 1, "{id}");
        }
    }
    for response in document["components"]["responses"].as_object().unwrap().values() {
        for code in response["content"]["application/json"]["examples"].as_object().unwrap().keys() {
            assert_eq!(page.matches(&format!("<tr id=\"{code}\">")).count(), 1, "{code}");
        }
    }
}

#[test]
fn its_links_lead_somewhere_and_nothing_is_asked_of_others() {
    let page = page();
    let body = &page[page.find("<body>").unwrap()..];
    let ids = between(body, " id=\"", "\"");
    let links = between(body, " href=\"", "\"");
    assert!(links.len() > 100);
    for link in links {
        let there = link.strip_prefix('#').is_some_and(|anchor| ids.contains(&anchor));
        assert!(there || link == "openapi.json", "{link}");
    }
    let unique: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "an anchor stands twice");
    for never in ["<script", "javascript:", " src=", " style=", "@import", "url(http", " onclick"] {
        assert!(!page.contains(never), "{never}");
    }
}

#[test]
fn every_element_is_closed() {
    let page = page();
    let body = &page[page.find("<body>").unwrap()..];
    let mut open: Vec<&str> = Vec::new();
    for tag in between(body, "<", ">") {
        let name = tag.split([' ', '>']).next().unwrap();
        match name.strip_prefix('/') {
            Some("html") => {}
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{tag}"),
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn its_policy_allows_its_own_style_alone() {
    let page = page();
    let [style] = between(&page, "<style>", "</style>")[..] else { panic!("one style") };
    let hash = BASE64_STANDARD.encode(Sha256::digest(style.as_bytes()));
    let policy = POLICY.to_str().unwrap();
    assert!(policy.contains(&format!("style-src 'sha256-{hash}'")) && policy.starts_with("default-src 'none'"));
    assert!(!policy.contains("script-src") && !policy.contains("unsafe"));
}

/// Returns the panels of the page as (heading, code).
fn panels(page: &str) -> Vec<(String, String)> {
    let panels = between(page, "<figcaption>", "</code></pre>").into_iter().map(|panel| {
        let (heading, rest) = panel.split_once("</figcaption>").unwrap();
        let (_, code) = rest.split_once("<code>").unwrap();
        let text: String = code
            .split('<')
            .enumerate()
            .map(|(n, part)| if n == 0 { part } else { part.split_once('>').unwrap().1 })
            .collect();
        let plain =
            |text: &str| text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        (plain(heading), plain(&text))
    });
    panels.collect()
}

#[test]
fn every_command_sets_its_own_variables() {
    let page = page();
    let commands: Vec<_> = panels(&page).into_iter().filter(|(_, code)| code.contains("curl ")).collect();
    assert!(commands.len() > 30, "{}", commands.len());
    for (heading, command) in commands {
        let (top, body) = command.split_once("\n\n").unwrap();
        let set: Vec<&str> = top.lines().map(|line| line.split_once('=').unwrap().0).collect();
        for variable in body.split(['"', '/', '@', '\'']).filter_map(|part| part.strip_prefix('$')) {
            assert!(set.contains(&variable), "{heading}: {variable} is not set: {command}");
        }
        for line in top.lines().filter(|line| line.starts_with("API_KEY=")) {
            assert_eq!(line, "API_KEY=vd_YOUR_KEY");
        }
        assert!(top.lines().all(|line| !line.ends_with('=')), "{heading}: {top}");
    }
}

#[test]
fn edits_show_their_usual_answers() {
    let page = page();
    let edit = between(&page, "<article id=\"editImage\">", "</article>")[0];
    let headings: Vec<_> = panels(edit).into_iter().map(|(heading, _)| heading).collect();
    let wanted = [
        "Request: propose an edit",
        "Request: confirm the edit",
        "Response 200: proposal",
        "Response 200: request for another prompt",
        "Response 200: new version after confirmation",
        "Response 202",
    ];
    assert_eq!(headings, wanted);
}

#[test]
fn receivers_are_shown_in_four_languages_with_what_they_are_sent() {
    let page = page();
    let deliveries = between(&page, "<article id=\"deliveries\">", "</article>")[0];
    let headings: Vec<_> = panels(deliveries).into_iter().map(|(heading, _)| heading).collect();
    let languages = ["Python", "Node.js", "Go", "PHP"].map(|language| format!("Receiver in {language}"));
    assert_eq!(headings, [&["Body of a delivery".to_owned()][..], &languages].concat());
    for said in ["generation.completed", "X-Vivid-Signature", "X-Vivid-Delivery", "X-Vivid-Event"] {
        assert!(deliveries.contains(said), "{said}");
    }
}

/// Returns the contradictions between the example response and the example request, or the ids in the path.
fn disagreements(request: &Value, ids: &[&str], answer: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut objects = vec![answer];
    while let Some(value) = objects.pop() {
        objects.extend(
            value.as_object().into_iter().flatten().map(|(_, v)| v).chain(value.as_array().into_iter().flatten()),
        );
        let Some(object) = value.as_object() else { continue };
        let lists = |name: &str| object.get(name).and_then(Value::as_array).map(Vec::len);
        let list = ["brands", "webhooks", "fonts", "formats"].into_iter().find_map(lists);
        if list.is_some() && object.get("count") != list.map(Value::from).as_ref() {
            wrong.push(format!("count of {value}"));
        }
        if let (Some(credits), Some(outputs)) = (object.get("credits"), object.get("outputs").and_then(Value::as_array))
        {
            let sum: u64 = outputs.iter().filter_map(|output| output["credits"].as_u64()).sum();
            if *credits != sum {
                wrong.push(format!("credits of {value}"));
            }
        }
        if let (Some(outputs), Some(formats)) = (object.get("outputs"), object.get("outputFormats")) {
            let outputs = outputs.as_array().unwrap();
            if object["outputCount"] != outputs.len() {
                wrong.push(format!("outputCount of {value}"));
            }
            let asked: u64 = formats
                .as_array()
                .unwrap()
                .iter()
                .map(|format| match object["carouselCounts"].get(format.as_str().unwrap()) {
                    Some(slides) => slides.as_u64().unwrap() * credits::SLIDE,
                    None => credits::VISUAL,
                })
                .sum();
            let paid = object["creditsCharged"].as_u64().unwrap() - object["creditsRefunded"].as_u64().unwrap();
            if paid != if object["status"] == "cancelled" { 0 } else { asked } {
                wrong.push(format!("credits of {value}"));
            }
            let made: u64 = outputs.iter().map(|o| credits::cost(o["kind"] == "slide")).sum();
            if object["status"] == "completed" && made != asked {
                wrong.push(format!("outputs of {value}"));
            }
        }
    }
    // A response about one resource either wraps it or is the resource itself.
    let resource = answer.as_object().unwrap().iter().filter(|(name, _)| *name != "warnings");
    let resource = match resource.collect::<Vec<_>>()[..] {
        [(_, one)] if one.is_object() => one,
        _ => answer,
    };
    // A restore request names the version to restore, but the response has a new version number.
    for (name, sent) in request.as_object().into_iter().flatten().filter(|(name, _)| *name != "version") {
        // The service fills in an object's missing fields, so compare only the fields that were sent.
        let told = |told: &Value| match sent.as_object() {
            Some(sent) => sent.iter().all(|(name, sent)| told[name] == *sent),
            None => told == sent,
        };
        if resource.get(name).is_some_and(|value| !told(value)) {
            wrong.push(format!("{name} of {answer}"));
        }
    }
    // A test of a subscription creates its own delivery, so the ids differ.
    let is_test = resource.get("type").is_some_and(|event| event == "webhook.test");
    if let (Some(id), Some(last)) = (resource.get("id").and_then(Value::as_str), ids.last())
        && id != *last
        && !is_test
    {
        wrong.push(format!("id of {answer}"));
    }
    if let (Some(id), Some(last)) = (resource.get("outputId").and_then(Value::as_str), ids.get(1))
        && id != *last
    {
        wrong.push(format!("outputId of {answer}"));
    }
    wrong
}

#[test]
fn examples_of_answers_are_what_their_requests_would_get() {
    let bytes = document();
    let root: Json = serde_json::from_slice(&bytes).unwrap();
    let value = |json: &Json| -> Value { serde_json::from_str(&example::pretty(json)).unwrap() };
    let mut seen = 0;
    for (path, item) in root.get("paths").members() {
        for (method, said) in item.members() {
            let content = said.at("#/requestBody/content/application~1json");
            let named: Vec<Value> =
                content.get("examples").members().iter().map(|(_, e)| value(e.get("value"))).collect();
            let request = match named.first() {
                Some(first) => first.clone(),
                None => value(&example::of_content(content, &root)),
            };
            let in_path = said.get("parameters").items().iter().filter(|p| p.get("in").text() == "path");
            let ids: Vec<&str> = in_path.map(|p| p.get("example").text()).filter(|id| !id.is_empty()).collect();
            for (status, response) in said.get("responses").members().iter().filter(|(s, _)| s.starts_with('2')) {
                let content = response.at("#/content/application~1json");
                let named: Vec<Value> =
                    content.get("examples").members().iter().map(|(_, e)| value(e.get("value"))).collect();
                let answers = if named.is_empty() { vec![value(&example::of_content(content, &root))] } else { named };
                for answer in answers.iter().filter(|answer| answer.is_object()) {
                    // After 30 seconds, the response to a confirmed edit shows the generation instead of the output.
                    let shows_generation = status == "202" && path.contains("/images/");
                    let request = if shows_generation { &Value::Null } else { &request };
                    let ids = if shows_generation { &ids[..ids.len().min(1)] } else { &ids[..] };
                    let wrong = disagreements(request, ids, answer);
                    assert!(wrong.is_empty(), "{method} {path} {status}: {wrong:#?}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 25, "{seen}");
}
