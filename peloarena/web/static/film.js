// A replay and its measures: rounds, marks, who leads, where the lead changed. Creates no elements.

export function rounds(film) {
  const found = [];
  film.frames.forEach((frame, at) => {
    const last = found[found.length - 1];
    if (last && last.round === frame.round) last.to = at;
    else found.push({ round: frame.round, from: at, to: at });
  });
  return found;
}

// For each frame and the end: the score of every seat if the game were scored then.
export function standings(film) {
  const every = [...film.frames.map((frame) => frame.position), film.end];
  return every.map((position) => position.seats.map((seat) => seat.score));
}

function margin(scores) {
  const sorted = [...scores].sort((a, b) => b - a);
  return sorted.length > 1 ? sorted[0] - sorted[1] : sorted[0];
}

export function leaders(scores) {
  const most = Math.max(...scores);
  return scores.flatMap((score, seat) => (score === most ? [seat] : []));
}

// How much a decision changed between first and second: the replay slows down at large changes.
export function swings(film) {
  const every = standings(film);
  return film.frames.map((_, at) => {
    const [before, after] = [every[at], every[at + 1]];
    const turned = leaders(before).join() !== leaders(after).join() ? 2 : 0;
    return Math.abs(margin(after) - margin(before)) + turned;
  });
}

export function nextMark(film, at, step) {
  for (let place = at + step; place >= 0 && place < film.frames.length; place += step) {
    if (film.frames[place].marks?.length) return place;
  }
  return step > 0 ? film.frames.length : 0;
}

// Three sentences: who led, where it turned, how it ended.
export function story(film) {
  const every = standings(film);
  const names = film.seats.map((seat) => seat.name);
  const middle = every[Math.floor(every.length / 2)];
  const ahead = leaders(middle).map((seat) => names[seat]);
  const first = ahead.length === 1 ? `${ahead[0]} led half-way.` : `Half-way ${list(ahead)} were level.`;
  const swing = swings(film);
  const at = swing.indexOf(Math.max(...swing));
  const turn = film.frames[at];
  const where = turn.round ? `in round ${turn.round}` : "during set-up";
  const second = swing[at] > 0 ? `It turned ${where}: ${names[turn.seat]} chose to ${turn.chosen}.` : "It never really turned.";
  return [first, second, ending(film, names)];
}

function ending(film, names) {
  const winners = film.ranks.flatMap((rank, seat) => (rank === 1 ? [names[seat]] : []));
  const scores = film.scores.filter((score) => score !== null).sort((a, b) => b - a);
  if (winners.length > 1) return `${list(winners)} share the first place.`;
  const gap = scores.length > 1 ? scores[0] - scores[1] : 0;
  const how = scores.length < 2 ? "" : gap === 0 ? " by the tie-break" : gap <= 2 ? `, by ${gap} only` : ` by ${gap}`;
  return `${winners[0]} won${how}.`;
}

function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
