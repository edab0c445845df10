import { Component } from '@angular/core';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';

import { NetworkDock } from './network/network-dock';

/** The frame around all pages. */
@Component({
  selector: 'app-root',
  imports: [NetworkDock, RouterLink, RouterLinkActive, RouterOutlet],
  template: `
    <header class="page-header">
      <a class="brand" routerLink="/people">
        <svg viewBox="0 0 16 16" width="28" height="28" aria-hidden="true">
          <path d="M1 5q3.5-4 7 0t7 0M1 11q3.5-4 7 0t7 0" />
        </svg>
        rivulet
      </a>
      <nav aria-label="Pages">
        <a routerLink="/people" routerLinkActive ariaCurrentWhenActive="page">People</a>
        <a routerLink="/groceries" routerLinkActive ariaCurrentWhenActive="page">Groceries</a>
        <a href="/plain/">Without Angular</a>
        <a href="/big-list/">Big list</a>
      </nav>
    </header>
    <main><router-outlet /></main>
    <app-network-dock />
  `,
})
export class App {}
