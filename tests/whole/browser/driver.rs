//! A browser, driven over WebDriver (<https://www.w3.org/TR/webdriver2/>): headless Chromium with a profile of its own.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// How long something that has to come may take; machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// The key of elements in answers (WebDriver, 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The programs that tests with a browser need, where they are there.
#[derive(Clone)]
pub struct Programs {
    chromium: PathBuf,
    driver: PathBuf,
    axe: PathBuf,
}

impl Programs {
    /// Those that the environment names: `CHROMIUM`, `CHROMEDRIVER`, and in `AXE` the script of axe-core. Without them a test
    /// is left out, unless `REQUIRE_BROWSER` says that it has failed then.
    pub fn find() -> Option<Self> {
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.exists());
        let found = named("CHROMIUM").zip(named("CHROMEDRIVER")).zip(named("AXE"));
        let programs = found.map(|((chromium, driver), axe)| Self { chromium, driver, axe });
        assert!(
            programs.is_some() || std::env::var_os("REQUIRE_BROWSER").is_none(),
            "no browser: CHROMIUM, CHROMEDRIVER and AXE are to name what tests/run installs"
        );
        programs
    }
}

/// A browser; closed when dropped.
pub struct Browser {
    driver: Child,
    client: reqwest::Client,
    session: String,
    axe: PathBuf,
}

/// Something on a page.
pub struct Element<'b> {
    browser: &'b Browser,
    id: String,
}

impl Browser {
    /// Opens one, with a window of 1280 × 900.
    pub async fn open(programs: &Programs) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(&programs.driver);
        command.arg(format!("--port={port}")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let driver = command.spawn().unwrap();
        let client = reqwest::Client::builder().timeout(PATIENCE * 2).no_proxy().build().unwrap();
        let base = format!("http://127.0.0.1:{port}");
        let mut browser = Self { driver, client, session: base.clone(), axe: programs.axe.clone() };
        let until = Instant::now() + PATIENCE;
        while browser.client.get(format!("{base}/status")).send().await.is_err() {
            assert!(Instant::now() < until, "chromedriver doesn't answer");
            tokio::time::sleep(PAUSE).await;
        }
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1280,900",
        ];
        let options = json!({"binary": programs.chromium, "args": arguments});
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
            "unhandledPromptBehavior": "accept",
        });
        let begun = browser.ask("POST", "/session", json!({"capabilities": {"alwaysMatch": wanted}})).await;
        browser.session = format!("{base}/session/{}", begun["sessionId"].as_str().expect("a session"));
        browser
    }

    /// A command of WebDriver's, and its answer; or why there is none.
    async fn try_ask(&self, method: &str, path: &str, body: Value) -> Result<Value, String> {
        let url = format!("{}{path}", self.session);
        let request = match method {
            "GET" => self.client.get(url),
            "DELETE" => self.client.delete(url),
            _ => self.client.post(url).json(&body),
        };
        let answer = request.send().await.map_err(|e| e.to_string())?;
        let good = answer.status().is_success();
        let mut said: Value = answer.json().await.map_err(|e| e.to_string())?;
        if good { Ok(said["value"].take()) } else { Err(said["value"]["message"].to_string()) }
    }

    async fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        self.try_ask(method, path, body).await.unwrap_or_else(|why| panic!("{method} {path}: {why}"))
    }

    /// Goes to a page and waits until it is loaded.
    pub async fn go(&self, url: &str) {
        self.ask("POST", "/url", json!({"url": url})).await;
    }

    /// Where it is.
    pub async fn url(&self) -> String {
        self.ask("GET", "/url", Value::Null).await.as_str().unwrap_or_default().to_owned()
    }

    /// What a script returns.
    pub async fn run(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", json!({"script": script, "args": []})).await
    }

    /// What an asynchronous script returns, which may `await`.
    pub async fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(v => done(v ?? null), e => done('failed: ' + e));"
        );
        self.ask("POST", "/execute/async", json!({"script": script, "args": []})).await
    }

    /// Waits until a script's condition holds.
    pub async fn until(&self, condition: &str) {
        let until = Instant::now() + PATIENCE;
        let script = format!("return Boolean({condition});");
        loop {
            let holds = self.try_ask("POST", "/execute/sync", json!({"script": script, "args": []})).await;
            if holds == Ok(Value::Bool(true)) {
                return;
            }
            if Instant::now() >= until {
                let page = self.run("return document.body.innerText").await;
                panic!(
                    "{condition}: not so in time at {}; the page says {page}; console: {:?}",
                    self.url().await,
                    self.complaints().await
                );
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until the page says something.
    pub async fn says(&self, words: &str) {
        self.until(&format!("document.body.innerText.includes({})", json!(words))).await;
    }

    /// The first element of an XPath that is shown; waits for it.
    pub async fn find(&self, path: &str) -> Element<'_> {
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self.try_ask("POST", "/elements", json!({"using": "xpath", "value": path})).await;
            for element in found.ok().iter().flat_map(|found| found.as_array().into_iter().flatten()) {
                let id = element[ELEMENT].as_str().unwrap_or_default().to_owned();
                if self.try_ask("GET", &format!("/element/{id}/displayed"), Value::Null).await == Ok(Value::Bool(true))
                {
                    return Element { browser: self, id };
                }
            }
            if Instant::now() >= until {
                let page = self.run("return document.body.innerText").await;
                panic!("{path}: not there in time at {}; the page says {page}", self.url().await);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// The control with this label, or whose label begins with it.
    pub async fn field(&self, label: &str) -> Element<'_> {
        let named = format!("[starts-with(normalize-space(), {})]", quoted(label));
        let by_name = format!("[starts-with(@aria-label, {})]", quoted(label));
        let path = format!(
            "//*[self::input or self::textarea or self::select][@id = //label{named}/@for] | //label{named}//*[self::input or \
             self::textarea or self::select] | //*[self::input or self::textarea or self::select]{by_name}"
        );
        self.find(&path).await
    }

    /// Presses the button or follows the link that is called so, or whose name begins so; while a dialog is open, one in it.
    pub async fn press(&self, name: &str) {
        let (name, named) = (quoted(name), "[not(ancestor::*[@hidden])][not(//dialog[@open]) or ancestor::dialog]");
        let path = format!(
            "//*[self::button or self::a or self::summary or @role='button' or @role='tab']{named}\
             [starts-with(normalize-space(), {name}) or starts-with(@aria-label, {name})]"
        );
        self.find(&path).await.click().await;
    }

    /// The first element of a CSS selector, shown or not.
    pub async fn hidden(&self, css: &str) -> Element<'_> {
        let found = self.ask("POST", "/element", json!({"using": "css selector", "value": css})).await;
        Element { browser: self, id: found[ELEMENT].as_str().unwrap_or_default().to_owned() }
    }

    /// Presses a key on whatever has the focus. `\u{E007}` is Enter (WebDriver, 17.4.2).
    pub async fn key(&self, key: &str) {
        let keys = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let actions = json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]});
        self.ask("POST", "/actions", actions).await;
    }

    /// A command of Chromium's own (<https://chromedevtools.github.io/devtools-protocol/>).
    async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.ask("POST", "/goog/cdp/execute", json!({"cmd": command, "params": parameters})).await
    }

    /// Makes the window as large as a device's, with the theme that its system has.
    pub async fn device(&self, width: u32, height: u32, theme: &str) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let features = json!([
            {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    /// Cuts the browser off from all services, or lets it go on.
    pub async fn offline(&self, is_offline: bool) {
        self.devtools("Network.enable", json!({})).await;
        let conditions = json!({"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.devtools("Network.emulateNetworkConditions", conditions).await;
    }

    /// A WebP of what the window shows.
    pub async fn picture(&self) -> Vec<u8> {
        let shot = self.devtools("Page.captureScreenshot", json!({"format": "webp", "quality": 82})).await;
        BASE64_STANDARD.decode(shot["data"].as_str().unwrap_or_default()).unwrap()
    }

    /// What the page wrote to the console as an error, but for answers that tests ask for.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", json!({"type": "browser"})).await;
        let entries = log.as_array().cloned().unwrap_or_default().into_iter();
        let severe = entries.filter(|entry| entry["level"] == "SEVERE");
        let said = severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned());
        said.filter(|message| !message.contains("Failed to load resource")).collect()
    }

    /// What axe-core finds of the page that is serious or worse: rule, help, and the first element.
    pub async fn barriers(&self) -> Vec<String> {
        let script = std::fs::read_to_string(&self.axe).unwrap();
        self.run(&script).await;
        let found = self
            .run_async(
                "const { violations } = await axe.run(document); return violations.filter(v => ['serious', \
                 'critical'].includes(v.impact)).map(v => `${v.id}: ${v.help}: ${v.nodes[0].html}: ${v.nodes[0].failureSummary}`);",
            )
            .await;
        let list = found.as_array().unwrap_or_else(|| panic!("axe-core: {found}"));
        list.iter().map(|v| v.as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromedriver ends its browsers when it is asked to end, and not when it is killed.
        let asked = Command::new("kill").args(["-TERM", &self.driver.id().to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.driver.kill();
        }
        let _ = self.driver.wait();
    }
}

impl Element<'_> {
    async fn ask(&self, method: &str, what: &str, body: Value) -> Value {
        self.browser.ask(method, &format!("/element/{}/{what}", self.id), body).await
    }

    /// Clicks on it, once nothing lies over it.
    pub async fn click(&self) {
        // Into the middle: what stands at an edge of the window may lie over what is there.
        let script = "arguments[0].scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})";
        self.browser.ask("POST", "/execute/sync", json!({"script": script, "args": [{ELEMENT: self.id}]})).await;
        let until = Instant::now() + PATIENCE;
        let path = format!("/element/{}/click", self.id);
        while let Err(why) = self.browser.try_ask("POST", &path, json!({})).await {
            assert!(Instant::now() < until, "it can't be clicked: {why}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Types at its end. Into a file input: the path of a file.
    pub async fn write(&self, text: &str) {
        self.ask("POST", "value", json!({"text": text})).await;
    }

    /// Empties it.
    pub async fn clear(&self) {
        self.ask("POST", "clear", json!({})).await;
    }

    /// What it says.
    pub async fn text(&self) -> String {
        self.ask("GET", "text", Value::Null).await.as_str().unwrap_or_default().to_owned()
    }

    /// A property of it.
    pub async fn property(&self, name: &str) -> Value {
        self.ask("GET", &format!("property/{name}"), Value::Null).await
    }
}

/// A text as XPath writes it; it has no apostrophe and quotation mark both.
pub fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
