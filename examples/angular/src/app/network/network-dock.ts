import { Component, inject, signal } from '@angular/core';

import { Network } from './network';

/** At the foot of every page: makes the server slow or makes it fail, and shows how the last requests ended. */
@Component({
  selector: 'app-network-dock',
  template: `
    <section aria-labelledby="network-title">
      <div class="bar">
        <h2 id="network-title">Network</h2>
        <div class="choice">
          <label for="network-delay">Answers take</label>
          <select id="network-delay" (change)="network.delay.set(delay.value)" #delay>
            <option value="">no extra time</option>
            <option value="1000">1 second</option>
            <option value="3000">3 seconds</option>
            <option value="15000">15 seconds</option>
          </select>
        </div>
        <div class="choice">
          <label for="network-fault">Requests</label>
          <select id="network-fault" (change)="network.fault.set(fault.value)" #fault>
            <option value="">get through</option>
            <option value="503">are refused: 503</option>
            <option value="500">break the server: 500</option>
            <option value="reset">lose their connection</option>
            <option value="after">lose their answer</option>
          </select>
        </div>
        <button
          type="button"
          class="quiet"
          aria-controls="network-log"
          [attr.aria-expanded]="isOpen()"
          (click)="isOpen.set(!isOpen())"
        >
          Log
        </button>
        @if (network.requests()[0]; as last) {
          <p class="last" [attr.data-kind]="last.kind">
            <code>{{ last.method }} {{ last.address }}</code> <span>{{ last.outcome }}</span>
          </p>
        }
      </div>
      <ol id="network-log" aria-label="Last requests" [hidden]="!isOpen()">
        @for (request of network.requests(); track request.id) {
          <li [attr.data-kind]="request.kind">
            <code>{{ request.method }} {{ request.address }}</code> <span>{{ request.outcome }}</span>
          </li>
        }
      </ol>
    </section>
  `,
  styleUrl: './network-dock.css',
})
export class NetworkDock {
  protected readonly network = inject(Network);
  protected readonly isOpen = signal(false);
}
