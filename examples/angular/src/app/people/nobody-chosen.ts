import { Component } from '@angular/core';

/** Shown beside the list until somebody is chosen. */
@Component({
  selector: 'app-nobody-chosen',
  template: `
    <section class="card" id="person" aria-labelledby="try-title">
      <h2 id="try-title">Choose somebody, and try to break it</h2>
      <p>
        Everything here is saved on a real server. At the foot of the page it can be made slow, or made to
        fail.
      </p>
      <dl>
        <dt>Let answers take 3 seconds, and press Next a few times</dt>
        <dd>Each step aborts the request before it. Nobody is shown with the data of another.</dd>
        <dt>Type while a save is under way</dt>
        <dd>What you type stays, stays marked as unsaved, and is saved next: one save at a time.</dd>
        <dt>Let requests fail, and edit</dt>
        <dd>Nothing typed is lost; the next edit, or “Try again”, saves it. A ticked grocery goes back.</dd>
        <dt>Empty the city, or enter an e-mail address that is none</dt>
        <dd>The server refuses it, and its words appear beside the field.</dd>
        <dt>Reload the page</dt>
        <dd>It comes from the server with its data in it, and nothing is asked for twice.</dd>
      </dl>
    </section>
  `,
  styleUrl: './nobody-chosen.css',
})
export class NobodyChosen {}
