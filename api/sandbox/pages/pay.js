// Counts the time down, fills in test cards and keeps a form from being sent twice. The page works without it.
const left = document.getElementById('left');
if (left) {
  const gauge = document.getElementById('gauge');
  const seconds = Number(left.dataset.seconds);
  const started = performance.now();
  const timer = setInterval(() => {
    const rest = Math.max(0, Math.round(seconds - (performance.now() - started) / 1000));
    left.textContent = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, '0')}`;
    gauge.value = rest;
    if (rest > 0) return;
    clearInterval(timer);
    location.reload();
  }, 1000);
}

for (const chip of document.querySelectorAll('[data-card]')) {
  chip.addEventListener('click', () => {
    const { elements } = chip.form;
    elements.namedItem('number').value = chip.dataset.card;
    elements.namedItem('expiry').value = '12/30';
    elements.namedItem('cvv').value = '123';
    chip.form.querySelector('.main').focus();
  });
}

addEventListener('submit', (event) => {
  const { submitter, target } = event;
  if (target.dataset.sent) return event.preventDefault();
  target.dataset.sent = 'yes';
  submitter?.setAttribute('aria-busy', 'true');
});

// Coming back by the browser's button shows the page as it was left, with its forms marked as sent.
addEventListener('pageshow', (event) => event.persisted && location.reload());
