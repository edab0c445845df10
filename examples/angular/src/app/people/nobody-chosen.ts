import { Component } from '@angular/core';

/** Shown beside the list until somebody is chosen. */
@Component({
  selector: 'app-nobody-chosen',
  template: `
    <section class="card" id="person" tabindex="-1" aria-labelledby="try-title">
      <h2 id="try-title">Choose somebody, and try to break it</h2>
      <p>
        Everything here is saved on a real server. At the foot of the page you can make it slow, or make it
        fail.
      </p>
      <dl>
        <dt>Let answers take 3 seconds, and press Next a few times</dt>
        <dd>Each step aborts the previous request. Nobody is shown with another person’s data.</dd>
        <dt>Type while a save is under way</dt>
        <dd>What you type stays, stays marked as unsaved, and is saved next: one save at a time.</dd>
        <dt>Let requests fail, and edit</dt>
        <dd>Nothing typed is lost; the next edit, or “Try again”, saves it. A ticked grocery is unticked.</dd>
        <dt>Empty the city, or enter an invalid e-mail address</dt>
        <dd>The server refuses it, and its message appears beside the field.</dd>
        <dt>Reload the page</dt>
        <dd>It comes from the server with its data in it, and nothing is requested twice.</dd>
      </dl>
    </section>
  `,
  styleUrl: './nobody-chosen.css',
})
export class NobodyChosen {}
