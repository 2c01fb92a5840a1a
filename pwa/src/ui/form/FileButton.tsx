import { type ReactNode, type Ref, useRef } from 'react';
import { Button, type ButtonVariant } from '../Button.tsx';

interface FileButtonProps {
  /** The types that can be chosen, as the `accept` of an input. */
  accept: string;
  look?: ButtonVariant;
  busy?: boolean;
  /** Opens the camera on a phone. */
  isCamera?: boolean;
  /** Only one file can be chosen. */
  isSingle?: boolean;
  /** Refers to the button. */
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
  onFiles: (files: File[]) => void;
}

/** A button that lets the user choose files, or take a photo. */
export function FileButton({ accept, look, busy, isCamera, isSingle, ref, children, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        {...(look && { look })}
        {...(busy && { busy })}
        {...(ref && { ref })}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={isCamera ? 'image/*' : accept}
        {...(isCamera ? { capture: 'environment' as const } : { multiple: !isSingle })}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Reset, so that the user can choose the same file again.
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
