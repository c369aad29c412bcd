//! Adapters, devices, and what becomes of a device.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use core::time::Duration;

use crate::limits::DEVICE_WAIT;
use crate::raster::{DeviceFault, RasterError};

/// After a failure, how often it is looked whether the device is lost, and the pause after each look.
const LOSS_LOOKS: u32 = 20;
const LOSS_PAUSE: Duration = Duration::from_millis(5);

/// A device that could draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Where it stands in the list of [`adapters`].
    pub index: usize,
    /// As its driver calls it.
    pub name: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: &'static str,
    /// What it is.
    pub kind: AdapterKind,
}

/// What an adapter is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdapterKind {
    /// A card of its own.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A part of a GPU, lent to a virtual machine.
    Virtual,
    /// The driver doesn't say.
    Other,
    /// Drawn by the processor.
    Software,
}

/// Which adapter to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// The best kind there is, software last; of several the first.
    Any,
    /// The best that isn't software.
    Hardware,
    /// By its place in [`adapters`].
    Index(usize),
    /// The first whose name holds this, in any case of letters.
    Name(String),
}

impl FromStr for Selector {
    type Err = std::convert::Infallible;

    /// `any`, `hardware`, a number, or a part of a name.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Ok(match s {
            "any" => Self::Any,
            "hardware" => Self::Hardware,
            s => s.parse().map_or_else(|_| Self::Name(s.to_owned()), Self::Index),
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Hardware => f.write_str("hardware"),
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// Why no device was opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No adapter answers to the selector; perhaps there is no driver.
    #[error("no graphics adapter answers to '{0}'")]
    NoAdapter(Selector),
    /// It can't do what drawing needs.
    #[error("{adapter} cannot draw here: {lack}")]
    Unfit {
        /// Its name.
        adapter: String,
        /// What it lacks.
        lack: &'static str,
    },
    /// The driver refused.
    #[error("{adapter} did not open: {reason}")]
    Refused {
        /// Its name.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
}

/// An open device, to be given to a rasteriser.
pub struct Device {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) adapter: Adapter,
    /// What colours are blended in.
    pub(super) color_format: wgpu::TextureFormat,
    pub(super) state: Arc<State>,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

/// Adapters of this machine, in the order that the drivers list them; none where there is no driver.
pub fn adapters() -> Vec<Adapter> {
    enumerate().1.into_iter().map(|(_, adapter)| adapter).collect()
}

fn enumerate() -> (wgpu::Instance, Vec<(wgpu::Adapter, Adapter)>) {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let descriptor = wgpu::InstanceDescriptor {
        backends,
        // Neither validation layers nor debug labels: errors are found by wgpu itself.
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    };
    let instance = wgpu::Instance::new(descriptor);
    let found = pollster::block_on(instance.enumerate_adapters(backends));
    let describe = |(index, adapter): (usize, wgpu::Adapter)| {
        let info = adapter.get_info();
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Other => AdapterKind::Other,
            wgpu::DeviceType::Cpu => AdapterKind::Software,
        };
        (adapter, Adapter { index, name: info.name, backend: info.backend.to_str(), kind })
    };
    let list = found.into_iter().enumerate().map(describe).collect();
    (instance, list)
}

/// Opens a device without any window.
///
/// # Errors
/// [`OpenError`].
pub fn open_device(selector: &Selector) -> Result<Device, OpenError> {
    let (_instance, mut list) = enumerate();
    // Stable: of one kind the first listed comes first.
    if matches!(selector, Selector::Any | Selector::Hardware) {
        list.sort_by_key(|(_, adapter)| adapter.kind);
    }
    let fits = |adapter: &Adapter| match selector {
        Selector::Any => true,
        Selector::Hardware => adapter.kind != AdapterKind::Software,
        Selector::Index(index) => adapter.index == *index,
        Selector::Name(name) => adapter.name.to_lowercase().contains(&name.to_lowercase()),
    };
    let Some((found, adapter)) = list.into_iter().find(|(_, adapter)| fits(adapter)) else {
        return Err(OpenError::NoAdapter(selector.clone()));
    };
    let (color_format, features) = color_format(&found);
    let limits = limits(&found);
    let lack = |lack| OpenError::Unfit { adapter: adapter.name.clone(), lack };
    if limits.max_storage_buffers_per_shader_stage < 6 {
        return Err(lack("storage buffers"));
    }
    if !found.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        return Err(lack("compute shaders"));
    }
    let request = found.request_device(&wgpu::DeviceDescriptor {
        label: None,
        required_features: features,
        required_limits: limits,
        ..wgpu::DeviceDescriptor::default()
    });
    let (device, queue) = pollster::block_on(request)
        .map_err(|e| OpenError::Refused { adapter: adapter.name.clone(), reason: e.to_string() })?;
    let state = Arc::new(State::default());
    state.watch(&device);
    Ok(Device { device, queue, adapter, color_format, state })
}

/// 16 bits a channel: of normalised integers, whose steps are 257 to an 8-bit level, where the device blends them; else
/// of floats, whose steps are 8 to a level in the lights.
fn color_format(adapter: &wgpu::Adapter) -> (wgpu::TextureFormat, wgpu::Features) {
    let integers = wgpu::TextureFormat::Rgba16Unorm;
    let needed = wgpu::Features::TEXTURE_FORMAT_16BIT_NORM | wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
    if adapter.features().contains(needed) {
        let there = adapter.get_texture_format_features(integers);
        if there.allowed_usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT)
            && there.flags.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE)
        {
            return (integers, needed);
        }
    }
    (wgpu::TextureFormat::Rgba16Float, wgpu::Features::empty())
}

/// What every device has, but as large textures and buffers as this one takes.
fn limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let most = adapter.limits();
    wgpu::Limits {
        max_texture_dimension_2d: most.max_texture_dimension_2d,
        max_buffer_size: most.max_buffer_size,
        max_storage_buffer_binding_size: most.max_storage_buffer_binding_size,
        ..wgpu::Limits::default()
    }
    .or_worse_values_from(&most)
}

/// What became of a device, told by its callbacks.
#[derive(Default)]
pub(super) struct State {
    lost: Mutex<Option<String>>,
    /// An error outside every scope.
    stray: Mutex<Option<String>>,
}

impl State {
    fn watch(self: &Arc<Self>, device: &wgpu::Device) {
        let state = Arc::clone(self);
        device.set_device_lost_callback(move |reason, message| state.lose(&format!("{reason:?}: {message}")));
        let state = Arc::clone(self);
        // Without this an error that no scope caught would be a panic.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            *lock(&state.stray) = Some(describe(&error));
        }));
    }

    pub fn lose(&self, why: &str) {
        let mut lost = lock(&self.lost);
        lost.get_or_insert_with(|| why.trim().to_owned());
    }

    /// Whether the device can still be used.
    ///
    /// # Errors
    /// [`DeviceFault::Lost`], or [`DeviceFault::Declined`] once where something went wrong outside every scope.
    pub fn check(&self) -> Result<(), RasterError> {
        if let Some(why) = lock(&self.lost).as_ref() {
            return Err(fault(DeviceFault::Lost, why));
        }
        match lock(&self.stray).take() {
            Some(error) => Err(declined(error)),
            None => Ok(()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fault(fault: DeviceFault, message: impl Into<String>) -> RasterError {
    RasterError::Device { fault, message: message.into() }
}

/// What this device can't draw, and another may.
pub(super) fn declined(message: impl Into<String>) -> RasterError {
    fault(DeviceFault::Declined, message)
}

/// An error with all that caused it, in one line.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Device {
    /// Which adapter it is.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Runs `work`, which must not wait for another thread's work on the device, and gives what went wrong on it.
    pub(super) fn scoped<T>(&self, work: impl FnOnce() -> Result<T, RasterError>) -> Result<T, RasterError> {
        let scopes = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
            .map(|filter| self.device.push_error_scope(filter));
        let done = work();
        // Popped all, innermost first; the futures are ready.
        let errors = scopes.into_iter().rev().map(|scope| pollster::block_on(scope.pop())).collect::<Vec<_>>();
        self.state.check()?;
        let failed = errors.into_iter().flatten().next().map(|error| declined(describe(&error)));
        match failed.map_or(done, Err) {
            Err(error) if error.device_fault().is_some() => {
                // Whether it is lost is told when all it was given is done, and on whichever thread asks first: that one
                // may have been told, and not yet have passed it on.
                for _ in 0..LOSS_LOOKS {
                    self.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(DEVICE_WAIT) })?;
                    std::thread::sleep(LOSS_PAUSE);
                }
                self.state.check()?;
                Err(error)
            }
            done => done,
        }
    }

    /// Sleeps until a submission is done. A device that takes longer than [`DEVICE_WAIT`] is lost.
    ///
    /// # Errors
    /// As for [`State::check`].
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), RasterError> {
        self.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(DEVICE_WAIT) })
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), RasterError> {
        // wgpu panics where the device is lost while it waits. Nothing of ours is touched inside.
        match catch_unwind(AssertUnwindSafe(|| self.device.poll(how))) {
            Ok(Ok(_)) => {}
            Ok(Err(wgpu::PollError::Timeout)) => self.state.lose("it hangs"),
            Ok(Err(error)) => {
                self.state.check()?;
                return Err(declined(error.to_string()));
            }
            Err(_) => self.state.lose("it failed while it was waited for"),
        }
        self.state.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_read_back_as_they_are_written() {
        for text in ["any", "hardware", "3", "Radeon"] {
            assert_eq!(text.parse::<Selector>().map(|s| s.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("3".parse(), Ok(Selector::Index(3)));
    }

    #[test]
    fn the_first_loss_is_remembered_and_a_stray_error_told_once() {
        let state = State::default();
        *lock(&state.stray) = Some("odd".to_owned());
        assert_eq!(state.check(), Err(declined("odd")));
        assert_eq!(state.check(), Ok(()));
        state.lose("unplugged");
        state.lose("again");
        for _ in 0..2 {
            assert_eq!(state.check(), Err(fault(DeviceFault::Lost, "unplugged")));
        }
    }
}
