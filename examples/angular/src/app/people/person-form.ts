import { Component, inject, output, viewChild } from '@angular/core';
import { FormField } from '@angular/forms/signals';

import { CheckField } from '../ui/check-field';
import { DateField } from '../ui/date-field';
import { TextField } from '../ui/text-field';
import { Trouble } from '../ui/trouble';

import { DeletePerson } from './delete-person';
import { Person } from './person';
import { PersonConflicts } from './person-conflicts';
import { PersonEditor } from './person-editor';

/** Edits a person. */
@Component({
  selector: 'app-person-form',
  imports: [CheckField, DateField, DeletePerson, FormField, PersonConflicts, TextField, Trouble],
  templateUrl: './person-form.component.html',
  styleUrl: './person-form.css',
})
export class PersonForm {
  /** Emits the name of the deleted person. */
  readonly deleted = output<string>();

  protected readonly person = inject(Person);
  protected readonly editor = inject(PersonEditor);
  protected readonly form = this.editor.open();
  protected readonly states = this.editor.states;
  private readonly choices = viewChild.required(PersonConflicts);

  /** Saves, or moves the focus to the first open conflict. */
  protected save(): void {
    if (!this.choices().focus()) void this.editor.save();
  }
}
