import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A message of the contact form; plain text as it was typed. */
@Entity('contact_message')
@Index('contact_message_received', ['receivedAt'])
export class ContactMessageEntity {
  /** Made by the device, or here when it made none. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  email!: string;

  /** Ten digits, or ''. */
  @Column('text')
  phone!: string;

  @Column('text')
  company!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  message!: string;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt!: Date;
}
