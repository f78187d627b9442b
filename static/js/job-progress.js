/* Shows how far a period's job is, every second; reloads the page when it is over. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const job = document.querySelector("#job[data-progress]");
  if (!job) return;
  const part = (name) => job.querySelector(`[data-job="${name}"]`);

  async function look() {
    try {
      const answer = await fetch(job.dataset.progress, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const now = await answer.json();
      if (now.finished) {
        window.location.reload();
        return;
      }
      part("stage").textContent = now.stage;
      part("count").textContent = now.total ? `${now.progress} of ${now.total}` : "";
      part("bar").max = now.total || 1;
      part("bar").value = now.progress;
    } catch (error) {
      part("stage").textContent = "no answer from the server; trying again";
    }
    window.setTimeout(look, 1000);
  }

  window.setTimeout(look, 1000);
});
