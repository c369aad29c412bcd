//! Tests of rearranging the slides of a carousel. In these tests, every page shows its number.

use super::edits::Image;
use super::*;

impl Service {
    /// Requests a new order of slides while workers run.
    async fn arranged(&self, image: &Image, body: Value, key: Option<&str>) -> Answer {
        let path = format!("/api/images/{}/slides", image.generation.rsplit('/').next().unwrap());
        let mut request = self.request("PUT", &path, body.to_string());
        if let Some(key) = key {
            request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        }
        tokio::select! {
            answer = self.send(request) => answer,
            () = self.keep_working(false) => unreachable!(),
        }
    }
}

fn kept(id: &Value) -> Value {
    json!({ "outputId": id })
}

fn ids(generation: &Value) -> Vec<Value> {
    generation["outputs"].as_array().unwrap().iter().map(|output| output["id"].clone()).collect()
}

#[tokio::test]
async fn slides_are_reordered_removed_put_back_and_copied() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let before = s.outputs(&image).await;
    let [a, b, visual] = [0, 1, 2].map(|n| before[n]["id"].clone());
    let money = s.check_money();

    let tried = s.arranged(&image, json!({"slides": [kept(&b), {"copyOf": a}], "dryRun": true}), None).await;
    let expected =
        json!({"creditCost": 15, "addedSlides": 1, "removedSlides": 1, "rewrittenSlides": 0, "renumberedSlides": 1});
    assert_eq!((tried.status, tried.json(), s.check_money()), (200, expected, money));

    let swapped = s.arranged(&image, json!({"slides": [kept(&b), kept(&a)]}), None).await;
    let answer = swapped.json();
    assert_eq!((swapped.status, &answer["creditsCharged"], s.check_money()), (200, &json!(0), money), "{answer:#}");
    let shown = &answer["generation"];
    assert_eq!(ids(shown), [b.clone(), a.clone(), visual.clone()]);
    let stand = |field: &str| [0, 1, 2].map(|n| shown["outputs"][n][field].clone());
    assert_eq!(stand("slideIndex"), [json!(0), json!(1), Value::Null]);
    assert_eq!(stand("sortOrder"), [0, 1, 2].map(|n| json!(n)));
    assert_eq!(stand("version"), [json!(2), json!(2), json!(1)], "their numbers changed");
    let name = path_of(&shown["outputs"][0]["imageUrl"]);
    assert!(name.split('?').next().unwrap().ends_with("1-linkedin_carousel.png"), "{name}");

    let again = s.arranged(&image, json!({"slides": [kept(&b), kept(&a)]}), None).await.json();
    assert_eq!(again["generation"]["outputs"][0]["version"], 2, "it holds already");

    // Repeating a request with the same key adds only one copy.
    let body = json!({"slides": [kept(&b), {"copyOf": b}, kept(&a)]});
    let copied = s.arranged(&image, body.clone(), Some("copy")).await;
    let answer = copied.json();
    assert_eq!((copied.status, &answer["creditsCharged"], s.check_money()), (200, &json!(15), money - 15));
    assert_eq!(answer["generation"]["carouselCounts"], json!({"linkedin_carousel": 3}));
    assert_eq!(ids(&answer["generation"]).len(), 4);
    let again = s.arranged(&image, body, Some("copy")).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (202, "true"));
    assert_eq!((s.check_money(), s.outputs(&image).await.len()), (money - 15, 4));
    let copy = s.outputs(&image).await[1]["id"].clone();
    let fewer = s.arranged(&image, json!({"slides": [kept(&copy), kept(&a)]}), None).await.json();
    assert_eq!(ids(&fewer["generation"]), [copy.clone(), a.clone(), visual]);
    assert_eq!(fewer["generation"]["removedOutputs"][0]["outputId"], b);
    let gone = s.propose(&Image { output: b.clone(), ..image.clone() }, "red").await;
    assert_eq!(gone.error(), (404, "output_not_found".into()));
    let back = s.arranged(&image, json!({"slides": [kept(&a), kept(&b), kept(&copy)]}), None).await.json();
    assert_eq!((&back["generation"]["removedOutputs"], &back["creditsCharged"]), (&json!([]), &json!(0)));
    assert_eq!(s.check_money(), money - 15);
}

#[tokio::test]
async fn slides_are_added_with_words_of_their_own_and_rewritten() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(0).await;
    let before = s.outputs(&image).await;
    let [a, b] = [0, 1].map(|n| before[n]["id"].clone());
    let money = s.check_money();
    let says = |title: &str| json!({"kind": "point", "title": title});
    let order = |title: &str| {
        json!({"slides": [
            {"outputId": a, "page": says("first")}, {"copyOf": a, "page": says(title)}, kept(&b),
        ]})
    };
    let mut trial = order("second");
    trial["dryRun"] = json!(true);
    let tried = s.arranged(&image, trial, None).await;
    let expected =
        json!({"creditCost": 25, "addedSlides": 1, "removedSlides": 0, "rewrittenSlides": 1, "renumberedSlides": 1});
    assert_eq!((tried.status, tried.json(), s.check_money()), (200, expected, money));

    let full = s.arranged(&image, order("too much"), None).await;
    assert_eq!(
        (full.status, &full.json()["details"][0]["field"]),
        (400, &json!("slides[1].page")),
        "{:#}",
        full.json()
    );
    assert_eq!(s.check_money(), money);

    let done = s.arranged(&image, order("second"), None).await;
    let answer = done.json();
    assert_eq!((done.status, &answer["creditsCharged"], s.check_money()), (200, &json!(25), money - 25), "{answer:#}");
    let shown = &answer["generation"]["outputs"];
    assert_eq!((&shown[0]["id"], &shown[0]["version"], &shown[2]["id"]), (&a, &json!(2), &b));
    assert_ne!(shown[1]["id"], a);
}

#[tokio::test]
async fn a_slide_is_split_by_prompt() {
    let s = Service::editing(1_000);
    let image = s.drawn_image(1).await;
    let money = s.check_money();
    let proposed = s.propose(&image, "split this slide in two").await;
    let said = proposed.json();
    assert_eq!(
        (&said["creditCost"], &said["changes"][0]["to"]),
        (&json!(25), &json!("1, 2 with new text, new: “second”"))
    );
    let instruction = said["refinedInstruction"].as_str().unwrap();
    let done = s.confirm(&image, instruction, None, false).await;
    assert_eq!((done.status, &done.json()["creditsCharged"]), (200, &json!(25)), "{:#}", done.json());
    assert_eq!((s.check_money(), done.json()["outputs"].as_array().unwrap().len()), (money - 25, 3));
    let whole = s
        .propose(&Image { output: s.outputs(&image).await[0]["id"].clone(), ..image.clone() }, "split this slide")
        .await;
    assert_eq!(whole.json()["reason"], "not_possible", "it says one thing");
}

#[tokio::test]
async fn orders_that_make_no_carousel_are_refused() {
    let s = Service::editing(50);
    let image = s.drawn_image(0).await;
    let outputs = s.outputs(&image).await;
    let [a, b, visual] = [0, 1, 2].map(|n| outputs[n]["id"].clone());
    let unknown = Uuid::now_v7().to_string();
    for (slides, status, error) in [
        (json!([]), 400, "validation_failed"),
        (json!("all"), 400, "validation_failed"),
        (Value::Null, 400, "validation_failed"),
        (json!([kept(&a), kept(&a)]), 400, "validation_failed"),
        (json!([kept(&visual)]), 400, "validation_failed"),
        (json!([kept(&a), kept(&visual)]), 400, "validation_failed"),
        (json!([{"outputId": a, "copyOf": b}]), 400, "validation_failed"),
        (json!([{}]), 400, "validation_failed"),
        (json!([a]), 400, "validation_failed"),
        (json!([{"outputId": 7}]), 400, "validation_failed"),
        (json!(vec![json!({"copyOf": a}); 101]), 400, "validation_failed"),
        (json!([{"outputId": unknown}]), 404, "output_not_found"),
        (json!([{"outputId": "x"}]), 404, "output_not_found"),
        (json!([kept(&a), kept(&b), {"copyOf": a}]), 402, "insufficient_credits"),
    ] {
        let refused = s.arranged(&image, json!({"slides": slides}), None).await;
        assert_eq!(refused.error(), (status, error.into()), "{slides}");
    }
    assert_eq!(s.outputs(&image).await[0]["version"], 1);
    assert_eq!(s.check_money(), 10);
}
