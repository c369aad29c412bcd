// Before anything is painted: the theme that was chosen on this machine, where one was.
{
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
