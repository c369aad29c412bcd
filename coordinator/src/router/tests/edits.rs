//! Tests of two-step edits, versions and restores, with an editor that supports a single kind of edit.

use async_trait::async_trait;
use bytes::Bytes;
use fleet::edit::{
    Alternative, EditPages, EditUse, EditedPage, Editor, MadePage, OfferedDesign, Previewed, Proposals, Proposed,
    Unsaid,
};
use render_core::compose::PageView;
use render_core::edit::{Aspect, Change, ExecuteError, MalformedInstruction, Unread, UnreadReason};
use render_core::outline::RevisedPage;

use super::*;

/// A fake editor that makes pages from the prompt: "all …" edits every page, "?" is not understood, "fly" is not
/// possible.
struct Scribe;

impl Scribe {
    fn made(pages: &EditPages, words: &str, everywhere: bool) -> Vec<MadePage> {
        let page = Bytes::from(format!("a page that says {words}"));
        let ours = |at: &usize| everywhere || *at == pages.at;
        let changes = |at: &usize| pages.pages[*at].page != BlobId::of(&page);
        let all = (0..pages.pages.len()).filter(ours).filter(changes);
        all.map(|at| MadePage { at, page: page.clone(), alt_text: words.into(), correction: None }).collect()
    }

    fn proposed(pages: &EditPages, prompt: &str) -> Proposed {
        let words = prompt.strip_prefix("all ");
        let made = Self::made(pages, words.unwrap_or(prompt), words.is_some());
        let version = pages.pages[pages.at].version;
        let reach = if words.is_some() { "On all slides".to_owned() } else { format!("On version {version}") };
        let change = Change { what: "words".into(), from: "old".into(), to: prompt.to_owned() };
        Proposed {
            instruction: format!("{reach}: {}", words.unwrap_or(prompt)),
            changes: if made.is_empty() { vec![] } else { vec![change] },
            notes: vec!["A note.".into()],
            preview: (!made.is_empty()).then(|| Bytes::from_static(b"preview")),
            edited: made.into_iter().map(|page| EditedPage { at: page.at, correction: None }).collect(),
        }
    }
}

#[async_trait]
impl Editor for Scribe {
    async fn view(&self, pages: EditPages) -> Result<PageView, Failure> {
        let text = format!("<page>version {}</page>", pages.pages[pages.at].version);
        Ok(PageView { text, elements: Vec::new(), colours: Vec::new() })
    }

    async fn preview(&self, pages: EditPages, _: String) -> Result<Result<Previewed, String>, Failure> {
        Ok(Ok(Previewed { view: self.view(pages).await?, changes: Vec::new(), edited: None }))
    }

    async fn designs(&self, _: EditPages, _: Aspect, _: bool) -> Result<Vec<OfferedDesign>, Failure> {
        Ok(Vec::new())
    }

    async fn halves(&self, pages: EditPages) -> Result<Option<[RevisedPage; 2]>, Failure> {
        let half = |title| serde_json::from_value(json!({"kind": "point", "title": title})).unwrap();
        Ok((pages.at > 0).then(|| [half("first"), half("second")]))
    }

    /// Every page shows its number. The words "too much" never fit.
    async fn arrange(
        &self,
        pages: EditPages,
        says: Vec<Option<RevisedPage>>,
    ) -> Result<Result<Vec<MadePage>, Unsaid>, Failure> {
        let mut made = Vec::new();
        for ((at, page), says) in pages.pages.iter().enumerate().zip(says) {
            let slide = page.slide.unwrap();
            let title = says.and_then(|page| page.title);
            if title.as_deref() == Some("too much") {
                return Ok(Err(Unsaid { at, why: "There is no room.".into() }));
            }
            let says = title.map(|title| format!(": {title}")).unwrap_or_default();
            let text = Bytes::from(format!("slide {} of {}{says}", slide.index, slide.count));
            if page.page != BlobId::of(&text) {
                made.push(MadePage { at, page: text, alt_text: "renumbered".into(), correction: None });
            }
        }
        Ok(Ok(made))
    }

    async fn propose(&self, pages: EditPages, prompt: String, _used: EditUse) -> Result<Proposals, Failure> {
        let reason = match prompt.as_str() {
            "?" => Some(UnreadReason::NotUnderstood),
            "fly" => Some(UnreadReason::NotPossible),
            "again" => {
                return Err(Failure {
                    code: "busy".into(),
                    message: "m".into(),
                    retry: true,
                    tokens: None,
                    usage: None,
                });
            }
            "slow" => {
                tokio::time::pause();
                std::future::pending().await
            }
            "break" => {
                return Err(Failure {
                    code: "storage_failed".into(),
                    message: "m".into(),
                    retry: true,
                    tokens: None,
                    usage: None,
                });
            }
            _ => None,
        };
        if let Some(reason) = reason {
            let unread = Unread { reason, message: "How?".into(), suggestions: vec!["red".into()], open: false };
            let red = Alternative { prompt: "red".into(), proposed: Self::proposed(&pages, "red") };
            return Ok(Proposals { answer: Err(unread), alternatives: vec![red] });
        }
        Ok(Proposals { answer: Ok(Self::proposed(&pages, &prompt)), alternatives: Vec::new() })
    }

    async fn execute(
        &self,
        pages: EditPages,
        instruction: String,
        _used: EditUse,
    ) -> Result<Result<Vec<MadePage>, ExecuteError>, Failure> {
        let read = instruction.split_once(": ").and_then(|(reach, words)| {
            let version = reach.strip_prefix("On version ").map(|n| n.parse::<u32>().ok());
            Some((version.unwrap_or(None), reach == "On all slides", words)).filter(|r| r.0.is_some() || r.1)
        });
        let Some((version, everywhere, words)) = read else {
            return Ok(Err(MalformedInstruction { at: instruction }.into()));
        };
        if words == "fly" {
            return Ok(Err(ExecuteError::NotPossible("It has no wings.".into())));
        }
        let made = Self::made(&pages, words, everywhere);
        let current = pages.pages[pages.at].version;
        let stale = version.is_some_and(|v| v != current) && !made.is_empty();
        Ok(if stale { Err(ExecuteError::Stale) } else { Ok(made) })
    }
}

/// An output to edit, with its generation.
#[derive(Clone)]
pub(super) struct Image {
    pub generation: String,
    pub at: String,
    pub output: Value,
}

impl Service {
    pub(super) fn editing(credits: u64) -> Self {
        let mut s = Self::start(credits, Limiter::new(100_000, 100_000, 100_000));
        Arc::get_mut(&mut s.app).unwrap().editor = Some(Arc::new(Scribe));
        s
    }

    /// Creates a finished carousel of two slides and a visual, and returns the output at `place`.
    pub(super) async fn drawn_image(&self, place: usize) -> Image {
        let body = carousel_and_visual();
        let at = self.create(&body).await.header("location").to_owned();
        self.work(|_| false).await;
        let g = self.get(&at).await.json()["generation"].take();
        let id = g["id"].as_str().unwrap();
        Image {
            generation: at.clone(),
            at: format!("/api/images/{id}/edit"),
            output: g["outputs"][place]["id"].clone(),
        }
    }

    pub(super) async fn propose(&self, image: &Image, prompt: &str) -> Answer {
        self.ask(&image.at, json!({"outputId": image.output, "prompt": prompt}), None).await
    }

    async fn ask(&self, path: &str, body: Value, key: Option<&str>) -> Answer {
        let mut request = self.request("POST", path, body.to_string());
        if let Some(key) = key {
            request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        }
        self.send(request).await
    }

    /// Confirms an instruction while workers run. The render fails if `fails` is set.
    pub(super) async fn confirm(&self, image: &Image, instruction: &str, key: Option<&str>, fails: bool) -> Answer {
        let body = json!({"outputId": image.output, "prompt": "p", "confirmedInstruction": instruction});
        tokio::select! {
            answer = self.ask(&image.at, body, key) => answer,
            () = self.keep_working(fails) => unreachable!(),
        }
    }

    pub(super) async fn keep_working(&self, fails: bool) {
        loop {
            self.work(|_| fails).await;
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(super) async fn outputs(&self, image: &Image) -> Vec<Value> {
        self.get(&image.generation).await.json()["generation"]["outputs"].as_array().unwrap().clone()
    }

    fn versions_at(image: &Image) -> String {
        format!("{}/outputs/{}", image.at.strip_suffix("/edit").unwrap(), image.output.as_str().unwrap())
    }
}

#[tokio::test]
async fn an_edit_is_proposed_confirmed_and_there() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(2).await;
    let money = s.check_money();
    let proposed = s.propose(&image, "red").await;
    let p = proposed.json();
    assert_eq!((proposed.status, &p["needsConfirmation"], &p["creditCost"]), (200, &json!(true), &json!(10)));
    assert_eq!((&p["refinedInstruction"], &p["preview"]), (&json!("On version 1: red"), &json!("On version 1: red")));
    assert_eq!(p["changes"], json!([{"what": "words", "from": "old", "to": "red"}]));
    assert_eq!((&p["notes"], &p["outputId"]), (&json!(["A note."]), &image.output));
    let preview = path_of(&p["previewImageUrl"]).to_owned();
    let shown = s.get(&preview).await;
    assert_eq!(
        (shown.status, shown.header("content-type"), shown.body.as_slice()),
        (200, "image/png", &b"preview"[..])
    );
    assert_eq!(s.check_money(), money, "nothing is charged");
    assert_eq!(s.outputs(&image).await[2]["version"], 1);

    let done = s.confirm(&image, "On version 1: red", None, false).await;
    let d = done.json();
    assert_eq!((done.status, &d["version"], &d["creditsCharged"]), (200, &json!(2), &json!(10)));
    assert_eq!((&d["outputId"], &d["imageUrl"]), (&image.output, &d["output"]["imageUrl"]));
    assert_eq!((&d["output"]["altText"], &d["output"]["edit"]), (&json!("red"), &Value::Null));
    assert_eq!(d["outputs"].as_array().unwrap().len(), 1);
    assert_eq!(s.get(path_of(&d["imageUrl"])).await.status, 200);
    let now = &s.outputs(&image).await[2];
    assert_eq!((&now["version"], &now["altText"]), (&json!(2), &json!("red")));
    assert_eq!(s.check_money(), money - 10);

    // Confirming again through either path succeeds, changes nothing and costs nothing.
    let again = s.confirm(&image, "On version 1: red", None, false).await.json();
    assert_eq!((&again["version"], &again["creditsCharged"]), (&json!(2), &json!(0)));
    let held = s.propose(&image, "red").await.json();
    assert_eq!((&held["creditCost"], &held["changes"]), (&json!(0), &json!([])));
    assert_eq!(s.get(path_of(&held["previewImageUrl"])).await.status, 200);
    assert_eq!(s.confirm(&image, "On version 1: blue", None, false).await.error(), (409, "stale_instruction".into()));
    assert_eq!(s.check_money(), money - 10);
    assert_eq!(s.delete(&image.generation).await.status, 204);
    assert_eq!(s.get(&preview).await.error(), (404, "not_found".into()), "with its generation");
}

#[tokio::test]
async fn what_is_not_understood_is_asked_back_and_what_is_wrong_is_refused() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    for (prompt, reason) in [("?", "not_understood"), ("fly", "not_possible")] {
        let asked = s.propose(&image, prompt).await;
        let a = asked.json();
        assert_eq!((asked.status, &a["needsClarification"], &a["reason"]), (200, &json!(true), &json!(reason)));
        assert_eq!((&a["clarificationMessage"], &a["suggestions"]), (&json!("How?"), &json!(["red"])));
        let other = &a["alternatives"][0];
        assert_eq!((&other["prompt"], &other["refinedInstruction"]), (&json!("red"), &json!("On version 1: red")));
        assert_eq!((&other["creditCost"], &other["changedImages"]), (&json!(10), &json!(1)));
        assert_eq!(s.get(path_of(&other["previewImageUrl"])).await.body, b"preview");
    }
    let busy = s.propose(&image, "again").await;
    assert_eq!((busy.header("retry-after"), busy.error()), ("5", (503, "busy".into())));
    let said = |body: Value| async { s.ask(&image.at, body, None).await.error() };
    let output = &image.output;
    for prompt in [json!("re\0d"), json!("\u{1b}[31mred"), json!("red\u{9b}"), json!("\u{7f}")] {
        let body = json!({"outputId": output, "prompt": prompt});
        assert_eq!(said(body).await, (400, "invalid_prompt".into()));
        let body =
            json!({"outputId": output, "prompt": "red", "confirmedInstruction": format!("On version 1: {prompt}\0")});
        assert_eq!(said(body).await, (400, "instruction_not_understood".into()));
    }
    assert_eq!(s.propose(&image, "red\r\n\tand blue").await.status, 200);
    let money = s.check_money();
    let flown = s.confirm(&image, "On version 1: fly", None, false).await;
    let asked = json!({
        "needsClarification": true,
        "reason": "not_possible",
        "clarificationMessage": "It has no wings.",
        "suggestions": [],
        "alternatives": [],
    });
    assert_eq!((flown.status, flown.json(), s.check_money()), (200, asked, money));
    for prompt in [json!(""), json!("  "), json!("x".repeat(2_001)), json!(7), Value::Null, json!("x".repeat(10_000))] {
        assert_eq!(said(json!({"outputId": output, "prompt": prompt})).await, (400, "invalid_prompt".into()));
    }
    assert_eq!(said(json!({"prompt": "red"})).await, (400, "validation_failed".into()));
    assert_eq!(said(json!({"outputId": 7, "prompt": "red"})).await, (400, "validation_failed".into()));
    assert_eq!(said(json!({"outputId": "x", "prompt": "red"})).await, (404, "output_not_found".into()));
    assert_eq!(said(json!({"outputId": Uuid::now_v7(), "prompt": "red"})).await, (404, "output_not_found".into()));
    for forged in [json!("make it red"), json!(""), json!(7), json!("On version x: red")] {
        let body = json!({"outputId": output, "prompt": "red", "confirmedInstruction": forged});
        assert_eq!(said(body).await, (400, "instruction_not_understood".into()));
    }
    let known = json!({"outputId": output, "prompt": "red", "confirmInstruction": "x"});
    let told = s.ask(&image.at, known, None).await.json();
    assert!(told["notes"][1].as_str().unwrap().contains("confirmedInstruction"), "{told}");
    assert_eq!(said(json!({"outputId": output, "prompt": "break"})).await, (503, "storage_unavailable".into()));

    let body = json!({"outputId": output, "prompt": "red"});
    let elsewhere = format!("/api/images/{}/edit", Uuid::now_v7());
    assert_eq!(s.ask(&elsewhere, body.clone(), None).await.error(), (404, "generation_not_found".into()));
    assert_eq!(s.ask("/api/images/none/edit", body.clone(), None).await.error(), (404, "generation_not_found".into()));
    let other = s.drawn_image(0).await;
    assert_eq!(s.ask(&other.at, body.clone(), None).await.error(), (404, "output_not_found".into()));
    assert_eq!(s.ask("/api/images/edit", body.clone(), None).await.json()["creditCost"], 10);
    let (_, stranger) = new_account(&s.app, Plan::Pro, 100);
    for (path, code) in [(image.at.as_str(), "generation_not_found"), ("/api/images/edit", "output_not_found")] {
        let mut request = s.request("POST", path, body.to_string());
        request.headers_mut().insert("x-api-key", stranger.parse().unwrap());
        assert_eq!(s.send(request).await.error(), (404, code.into()));
    }
    let (_, weak) = s.app.store.create_key(s.account, "k", Scopes::of(&[Scope::GenerationsWrite]), Millis(0)).unwrap();
    let mut request = s.request("POST", &image.at, body.to_string());
    request.headers_mut().insert("x-api-key", weak.reveal().parse().unwrap());
    assert_eq!(s.send(request).await.error(), (403, "insufficient_scope".into()));
}

#[tokio::test]
async fn what_is_not_ready_or_not_paid_is_not_edited() {
    let s = Service::editing(85);
    let image = s.drawn_image(2).await;
    let poor = s.confirm(&Image { ..s.drawn_image(0).await }, "On version 1: red", None, false).await;
    assert_eq!(poor.error(), (402, "insufficient_credits".into()));
    assert_eq!((&poor.json()["required"], &poor.json()["available"]), (&json!(10), &json!(5)));
    drop(image);

    let mut s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let open = s.create(&text()).await;
    let (claim, job) = s.claim().unwrap();
    let Job::Plan(plan) = job else { panic!() };
    s.app.store.report(claim, &planned(plan.formats), Millis::now()).unwrap();
    let account = s.account;
    let id = open.json()["generation"]["id"].as_str().unwrap().parse().unwrap();
    assert!(s.app.store.generation(account, id).unwrap().unwrap().outputs.is_empty());
    let output = s.app.store.outbox(1).unwrap()[0].job;
    let body = json!({"outputId": output, "prompt": "red"});
    assert_eq!(s.ask("/api/images/edit", body, None).await.error(), (409, "not_ready".into()));
    s.work(|_| false).await;
    s.app.store.delete_old_images(Millis(i64::MAX), 9, Millis::now()).unwrap();
    assert_eq!(s.propose(&image, "red").await.error(), (409, "not_ready".into()));
    let restore = format!("{}/restore", Service::versions_at(&image));
    assert_eq!(s.ask(&restore, json!({"version": 1}), None).await.error(), (409, "not_ready".into()));
    let listed = s.get(&format!("{}/versions", Service::versions_at(&image))).await.json();
    let v = &listed["versions"][0];
    assert_eq!((&v["version"], &v["imageUrl"], &v["thumbnailUrl"]), (&json!(1), &Value::Null, &Value::Null));
    let image = s.drawn_image(0).await;
    Arc::get_mut(&mut s.app).unwrap().max_backlog = 0;
    let full = s.confirm(&image, "On version 1: red", None, false).await;
    assert_eq!(full.error(), (503, "queue_full".into()));
    Arc::get_mut(&mut s.app).unwrap().editor = None;
    assert_eq!(s.propose(&image, "red").await.error(), (503, "no_workers".into()));
    s.app.stopping.cancel();
    assert_eq!(s.confirm(&image, "On version 1: red", None, false).await.error(), (503, "shutting_down".into()));
}

#[tokio::test]
async fn an_edit_charges_no_other_account() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    for workspace in [json!("0198c0de-0000-7000-8000-000000000000"), json!(7)] {
        let body = json!({"outputId": image.output, "prompt": "red", "workspaceId": workspace});
        let refused = s.ask(&image.at, body, None).await;
        let detail = refused.json()["details"][0].take();
        assert_eq!(
            (refused.status, &detail["field"], &detail["code"]),
            (400, &json!("workspaceId"), &json!("unsupported_field"))
        );
    }
    let body = json!({"outputId": image.output, "prompt": "red", "workspaceId": null});
    let asked = s.ask(&format!("{}?dryRun=1", image.at), body, None).await;
    assert_eq!(asked.status, 200);
    assert!(asked.json()["notes"].to_string().contains("dryRun"), "{}", asked.json());
}

#[tokio::test]
async fn an_edit_that_takes_too_long_says_so() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let money = s.check_money();
    let late = s.propose(&image, "slow").await;
    assert_eq!((late.error(), late.header("retry-after")), ((503, "edit_timed_out".into()), "5"));
    assert_eq!(s.check_money(), money);
}

#[tokio::test]
async fn a_version_that_is_not_drawn_changes_and_costs_nothing() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let (money, before) = (s.check_money(), s.outputs(&image).await);
    let failed = s.confirm(&image, "On version 1: red", Some("k"), true).await;
    assert_eq!(failed.error(), (500, "render_failed".into()));
    assert_eq!(s.check_money(), money);
    let after = s.outputs(&image).await;
    assert_eq!((&after[0]["version"], &after[0]["altText"]), (&json!(1), &before[0]["altText"]));
    let edit = &after[0]["edit"];
    assert_eq!((&edit["status"], &edit["error"]["code"]), (&json!("failed"), &json!("render_failed")));
    // The same if the edit's row is deleted before the failure is seen.
    let id = image.generation.rsplit('/').next().unwrap().parse().unwrap();
    let lost =
        async |id: Uuid| crate::api::edits::lost(&s.app, s.account, id).await.unwrap_err().error_code().row().code;
    assert_eq!((lost(id).await, lost(Uuid::now_v7()).await), ("render_failed", "generation_not_found"));
    // Only successful responses are stored.
    let done = s.confirm(&image, "On version 1: red", Some("k"), false).await;
    assert_eq!((done.status, &done.json()["version"], s.check_money()), (200, &json!(2), money - 10));
    let again = s.confirm(&image, "On version 1: red", Some("k"), false).await;
    assert_eq!((again.json(), again.header("idempotent-replayed")), (done.json(), "true"));
    assert_eq!(s.outputs(&image).await[0]["edit"], Value::Null);
    let other = s.confirm(&image, "On version 2: blue", Some("k"), false).await;
    assert_eq!(other.error(), (409, "idempotency_conflict".into()));
}

#[tokio::test]
async fn an_edit_that_takes_long_is_shown_by_its_generation() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let body = json!({"outputId": image.output, "prompt": "p", "confirmedInstruction": "On version 1: red"});
    let confirm = s.ask(&image.at, body.clone(), Some("k"));
    let meanwhile = async {
        while s.app.store.outbox(1).unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        assert_eq!(s.ask(&image.at, body.clone(), Some("k")).await.error(), (409, "idempotency_in_progress".into()));
        assert_eq!(s.ask(&image.at, body.clone(), None).await.error(), (409, "edit_in_progress".into()));
        assert_eq!(s.propose(&image, "blue").await.error(), (409, "edit_in_progress".into()));
        let edit = s.outputs(&image).await[0]["edit"].take();
        assert_eq!((&edit["status"], &edit["version"], &edit["error"]), (&json!("running"), &json!(2), &Value::Null));
        // A waiting request ends when the service stops.
        s.app.stopping.cancel();
    };
    let (answer, ()) = tokio::join!(confirm, meanwhile);
    assert_eq!((answer.status, answer.header("location")), (202, image.generation.as_str()));
    assert_eq!(answer.json()["generation"]["outputs"][0]["edit"]["status"], "running");
    s.work(|_| false).await;
    let now = &s.outputs(&image).await[0];
    assert_eq!((&now["version"], &now["edit"]), (&json!(2), &Value::Null));
}

#[tokio::test]
async fn all_slides_change_as_one() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(1).await;
    let money = s.check_money();
    let p = s.propose(&image, "all red").await.json();
    assert_eq!((&p["refinedInstruction"], &p["creditCost"]), (&json!("On all slides: red"), &json!(20)));
    let done = s.confirm(&image, "On all slides: red", None, false).await.json();
    assert_eq!((&done["creditsCharged"], &done["version"]), (&json!(20), &json!(2)));
    assert_eq!(done["outputs"].as_array().unwrap().len(), 2);
    let versions: Vec<Value> = s.outputs(&image).await.iter().map(|o| o["version"].clone()).collect();
    assert_eq!((json!(versions), s.check_money()), (json!([2, 2, 1]), money - 20), "the visual is no slide of it");
    let failed = s.confirm(&image, "On all slides: blue", None, true).await;
    assert_eq!(failed.error(), (500, "render_failed".into()));
    let versions: Vec<Value> = s.outputs(&image).await.iter().map(|o| o["version"].clone()).collect();
    assert_eq!((json!(versions), s.check_money()), (json!([2, 2, 1]), money - 20));
}

#[tokio::test]
async fn versions_are_listed_and_come_back() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let at = Service::versions_at(&image);
    let list = async |query: &str| s.get(&format!("{at}/versions{query}")).await.json();
    let first = list("").await;
    assert_eq!(first["versions"].as_array().unwrap().len(), 1);
    let v = &first["versions"][0];
    assert_eq!((&v["version"], &v["current"], &v["instruction"]), (&json!(1), &json!(true), &Value::Null));
    assert_eq!(s.confirm(&image, "On version 1: red", None, false).await.status, 200);
    let money = s.check_money();

    let restore = format!("{at}/restore");
    let back = s.ask(&restore, json!({"version": 1}), Some("k")).await;
    assert_eq!((back.status, &back.json()["output"]["version"]), (200, &json!(3)));
    assert_eq!(back.json()["output"]["altText"], "A fox.");
    let again = s.ask(&restore, json!({"version": 1}), Some("k")).await;
    assert_eq!((again.json(), again.header("idempotent-replayed")), (back.json(), "true"));
    let all = list("").await;
    let told: Vec<_> =
        all["versions"].as_array().unwrap().iter().map(|v| (&v["version"], &v["restoredFrom"])).collect();
    assert_eq!(json!(told), json!([[3, 1], [2, null], [1, null]]));
    assert_eq!(all["versions"][1]["instruction"], "On version 1: red");
    assert_eq!((&all["versions"][0]["current"], &all["versions"][2]["current"]), (&json!(true), &json!(false)));
    for version in all["versions"].as_array().unwrap() {
        assert_eq!(s.get(path_of(&version["imageUrl"])).await.status, 200);
    }
    assert_eq!(s.check_money(), money);
    let page = list("?limit=2").await;
    let next = page["pagination"]["nextCursor"].as_str().unwrap();
    assert_eq!(list(&format!("?limit=2&cursor={next}")).await["versions"][0]["version"], 1);
    for wrong in [json!({}), json!({"version": "2"}), json!({"version": 9}), json!({"version": 0})] {
        assert_eq!(s.ask(&restore, wrong, None).await.error(), (400, "validation_failed".into()));
    }
    let nowhere = format!("/api/images/{}/outputs/{}/versions", Uuid::now_v7(), Uuid::now_v7());
    assert_eq!(s.get(&nowhere).await.error(), (404, "generation_not_found".into()));
    let none = at.replace(image.output.as_str().unwrap(), "x");
    assert_eq!(s.get(&format!("{none}/versions")).await.error(), (404, "output_not_found".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn i12_confirming_an_edit_twice_changes_and_costs_nothing_more() {
    let s = Arc::new(Service::editing(1_000));
    let image = s.drawn_image(0).await;
    let money = s.check_money();
    let body = json!({"outputId": image.output, "prompt": "p", "confirmedInstruction": "On version 1: red"});
    let confirms: Vec<_> = (0..200)
        .map(|_| {
            let (s, at, body) = (Arc::clone(&s), image.at.clone(), body.clone());
            tokio::spawn(async move { s.ask(&at, body, None).await })
        })
        .collect();
    let mut charged = Vec::new();
    let all = async {
        for confirm in confirms {
            let answer = confirm.await.unwrap();
            match answer.status {
                200 => charged.push(answer.json()["creditsCharged"].as_u64().unwrap()),
                _ => assert_eq!(answer.error(), (409, "edit_in_progress".into())),
            }
        }
    };
    tokio::select! {
        () = all => {}
        () = s.keep_working(false) => unreachable!(),
    }
    assert_eq!(charged.iter().filter(|c| **c == 10).count(), 1, "{charged:?}");
    assert!(charged.iter().all(|c| *c == 0 || *c == 10));
    assert_eq!((s.check_money(), &s.outputs(&image).await[0]["version"]), (money - 10, &json!(2)));
    let again = s.ask(&image.at, body, None).await.json();
    assert_eq!((&again["creditsCharged"], &again["version"]), (&json!(0), &json!(2)));
}
