import SKANCore
