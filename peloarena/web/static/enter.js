// Submitting: sends the zip with the token in a header, shows the upload's progress, and follows the submission.

import { follow, replaceSection } from "./sections.js";
import { keep, kept } from "./token.js";

const LARGEST = 64 * 1024 * 1024;
const said = document.getElementById("said");
const form = document.getElementById("enter-form");

function tell(text, bad) {
  said.textContent = text;
  said.classList.toggle("bad", Boolean(bad));
}

function send(file) {
  const bar = form.querySelector("progress");
  const request = new XMLHttpRequest();
  request.open("POST", "/enter");
  request.setRequestHeader("content-type", "application/zip");
  request.setRequestHeader("x-entry-token", form.token.value.trim());
  if (form.elements.name) request.setRequestHeader("x-entry-name", encodeURIComponent(form.elements.name.value.trim()));
  request.upload.onprogress = (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
  request.onerror = () => done("Connection to the host lost: the bot was not submitted. Try again.", true);
  request.onload = () => answered(request.status, request.responseText);
  bar.value = 0;
  bar.hidden = false;
  form.querySelector("button").disabled = true;
  tell("Uploading …");
  request.send(file);
}

function answered(status, text) {
  let told = {};
  try { told = JSON.parse(text); } catch { /* not ours */ }
  if (status !== 200) { done(told.problem ?? text.trim(), true); return; }
  if (told.token) {
    form.token.value = "";
    keep(told.token);
    done(`Received, testing now (upload ${told.upload}). Your token is ${told.token}. Keep it: it is shown only once. You need it to submit new versions and to read what your bot prints.`);
    return;
  }
  done(`Received, testing now (upload ${told.upload}).`);
}

function done(text, bad) {
  form.querySelector("progress").hidden = true;
  form.querySelector("button").disabled = false;
  if (!bad) form.zip.value = "";
  tell(text, bad);
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const file = form.zip.files[0];
  if (!file) { tell("Choose a zip file.", true); return; }
  if (file.size > LARGEST) { tell("The zip is larger than 64 MiB.", true); return; }
  send(file);
});

if (location.hash) history.replaceState(null, "", location.pathname + location.search);
if (kept()) tell("Your token is filled in. Choose the zip file.");
follow(document.body.dataset.stream, (section) => replaceSection(section));
