//! Requirements for every page: accessibility (axe-core), speed, size, and responsive layout.

use serde_json::json;

use super::Visit;

/// Maximum bytes of a page over the wire, not counting images.
const PAGE_BYTES: u64 = 300_000;
/// Maximum milliseconds until first paint. It takes well under 100 on an idle machine; tests share theirs.
const FIRST_PAINT_MS: u64 = 1_500;
/// Window sizes: phone, tablet, desktop.
const WINDOWS: [(u32, u32); 3] = [(390, 844), (820, 1180), (1440, 900)];

/// Returns what loading a page took: bytes without images, and the time of first paint.
const LOADED: &str = "const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]; \
    const bytes = all.filter(e => e.initiatorType !== 'img' && !e.name.includes('/files/')).reduce((n, e) => n + e.transferSize, 0); \
    return [bytes, performance.getEntriesByName('first-paint')[0]?.startTime ?? 0];";

#[tokio::test]
async fn every_page_is_for_everybody_quick_and_fits() {
    let Some(visit) = Visit::signed_in().await else { return };
    let carousel =
        json!({"outputFormats": ["instagram_post", "instagram_carousel"], "carouselCounts": {"instagram_carousel": 3}});
    let generation = visit.made(carousel).await;
    let (id, output) = (generation["id"].as_str().unwrap(), generation["outputs"][0]["id"].as_str().unwrap());
    let brand =
        visit.client.post("/api/brands", &json!({"name": "Acme", "colors": {"primary": "#0a5f38"}})).await.json();
    let brand = brand["brand"]["id"].as_str().unwrap();
    let (generation, image) = (format!("/generations/{id}"), format!("/generations/{id}/outputs/{output}"));
    let brand = format!("/brands/{brand}");
    let pages = [
        "/",
        "/library",
        &generation,
        &image,
        "/brands",
        "/brands/new",
        &brand,
        "/integrations",
        "/credits",
        "/account",
        "/fleet",
        "/nowhere",
        "/login",
        "/welcome",
    ];
    for (at, path) in pages.into_iter().enumerate() {
        for (round, theme) in ["light", "dark"].into_iter().enumerate() {
            let (width, height) = WINDOWS[(at + round) % WINDOWS.len()];
            visit.browser.device(width, height, theme).await;
            visit.browser.run("performance.clearResourceTimings(); return 0").await;
            visit.go(path).await;
            visit.browser.until("document.readyState === 'complete' && !document.querySelector('.skeleton')").await;
            let loaded = visit.browser.run(LOADED).await;
            let (bytes, paint) = (loaded[0].as_u64().unwrap_or(0), loaded[1].as_f64().unwrap_or(0.0) as u64);
            assert!(bytes <= PAGE_BYTES, "{path}: {bytes} bytes");
            assert!(paint <= FIRST_PAINT_MS, "{path}: something is seen after {paint} ms");
            let barriers = visit.browser.barriers().await;
            assert!(barriers.is_empty(), "{path}, {theme}: {barriers:#?}");
            for (width, height) in WINDOWS {
                visit.browser.device(width, height, theme).await;
                visit.browser.until("document.documentElement.scrollWidth <= innerWidth").await;
            }
            visit.has_no_complaints().await;
        }
    }
}

#[tokio::test]
async fn pages_let_nothing_run_but_their_own() {
    let Some(visit) = Visit::signed_in().await else { return };
    for path in ["/", "/library", "/login"] {
        visit.go(path).await;
        let script = "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); \
            document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 2\">'); \
            await new Promise(r => setTimeout(r, 200)); return window.ran ?? null;";
        assert_eq!(visit.browser.run_async(script).await, serde_json::Value::Null, "{path}");
    }
}

/// Script that returns the focused element if none of nine points of it is visible, otherwise null.
const HIDDEN: &str = "const e = document.activeElement; if (!e || e === document.body) return null; \
    const t = (e.matches('input') && e.closest('label')) || e; const r = t.getBoundingClientRect(); \
    for (const x of [.1, .5, .9]) for (const y of [.1, .5, .9]) { \
        const at = document.elementFromPoint(r.left + r.width * x, r.top + r.height * y); if (at && t.contains(at)) return null; } \
    return `${e.outerHTML.slice(0, 160)} at ${Math.round(r.top)} of ${innerHeight}`;";
const TAB: &str = "\u{E004}";

#[tokio::test]
async fn what_has_the_focus_is_never_hidden_behind_a_bar() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let generation = visit.made(json!({})).await;
    let (id, output) = (generation["id"].as_str().unwrap(), generation["outputs"][0]["id"].as_str().unwrap());
    let pages = ["/", "/brands/new", &format!("/generations/{id}"), &format!("/generations/{id}/outputs/{output}")];
    // The main field fills its box, so the box shows the focus ring.
    visit.go("/").await;
    browser.run("document.getElementById('create-text').focus()").await;
    browser.until("getComputedStyle(document.querySelector('.create-hero')).outlineStyle === 'solid'").await;
    // The last size equals a window of 1280 × 1024 at 400 % zoom.
    for (width, height) in [(390, 844), (820, 1180), (320, 256)] {
        browser.device(width, height, "light").await;
        for path in pages {
            visit.go(path).await;
            browser.until("document.readyState === 'complete' && !document.querySelector('.skeleton')").await;
            browser.run("document.activeElement.blur(); scrollTo(0, 0)").await;
            for _ in 0..45 {
                browser.key(TAB).await;
                let mut hidden = browser.run(HIDDEN).await;
                if !hidden.is_null() {
                    // The page may still be scrolling.
                    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
                    hidden = browser.run(HIDDEN).await;
                }
                assert!(hidden.is_null(), "{path} at {width} × {height}: {hidden}");
            }
        }
    }
    visit.has_no_complaints().await;
}

#[tokio::test]
async fn long_names_break_no_page() {
    let Some(visit) = Visit::signed_in().await else { return };
    let browser = &visit.browser;
    let long = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz".repeat(4);
    let generation = visit.made(json!({"title": &long[..200]})).await;
    let brand = json!({"name": &long[..100], "handle": format!("@{}", &long[..50])});
    let brand = visit.client.post("/api/brands", &brand).await.json()["brand"]["id"].take();
    visit.client.post("/api/webhooks", &json!({"url": format!("https://hooks.example.org/{long}")})).await;
    let generation = format!("/generations/{}", generation["id"].as_str().unwrap());
    let brand = format!("/brands/{}", brand.as_str().unwrap());
    for (width, height) in WINDOWS {
        browser.device(width, height, "light").await;
        for path in ["/", "/library", &generation, "/brands", &brand, "/integrations", "/credits"] {
            visit.go(path).await;
            browser.until("document.readyState === 'complete' && !document.querySelector('.skeleton')").await;
            browser.until("document.documentElement.scrollWidth <= innerWidth").await;
        }
    }
    // The tooltip shows a truncated title in full.
    visit.go("/library").await;
    browser.until(&format!("document.querySelector('.library-title').title === {}", json!(&long[..200]))).await;
}

#[tokio::test]
async fn a_page_of_the_library_is_light_with_its_pictures() {
    let Some(visit) = Visit::signed_in().await else { return };
    let body = json!({"inputType": "text", "inputContent": super::TEXT, "outputFormats": ["instagram_carousel"],
        "carouselCounts": {"instagram_carousel": 3}});
    let made = futures::future::join_all((0..20).map(|_| visit.client.create(&body))).await;
    for generation in made {
        visit.client.finished(generation["id"].as_str().unwrap()).await;
    }
    visit.browser.device(1280, 900, "light").await;
    visit.go("/library").await;
    visit.browser.until("document.querySelectorAll('.library-card').length === 20").await;
    visit.browser.run("scrollTo(0, document.body.scrollHeight)").await;
    visit
        .browser
        .until("[...document.querySelectorAll('.library-sheet')].every(i => i.complete && i.naturalWidth)")
        .await;
    let all = "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] \
        .reduce((n, e) => n + e.transferSize, 0)";
    let bytes = visit.browser.run(all).await.as_u64().unwrap();
    assert!((1..=PAGE_BYTES).contains(&bytes), "{bytes} bytes");
    // Picture URLs are stable, so the second visit loads pictures from the cache.
    visit.go("/library").await;
    visit.browser.until("document.querySelectorAll('.library-card').length === 20").await;
    let again = visit.browser.run(all).await.as_u64().unwrap();
    assert!(again < 30_000, "{again} bytes");
    visit.has_no_complaints().await;
}
