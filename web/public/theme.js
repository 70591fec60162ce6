// Runs before the first paint so that a chosen theme never flashes in the other one.
const theme = localStorage.getItem("steward.theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
